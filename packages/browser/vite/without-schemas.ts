import { fileURLToPath } from 'node:url';
import { type ESTree, type Plugin, parseAst, transformWithOxc } from 'vite';

const NO_SCHEMAS = fileURLToPath(new URL('../src/no-schemas.ts', import.meta.url));
const SCHEMA_IMPORT = /^import \* as z from 'zod\/mini';$/m;
/** The endpoint properties that a browser needs for a call. The others are for the server and the documentation. */
const KEPT = ['auth', 'upload', 'download'];
/** The contract's functions that declare endpoints, and the HTTP method of each. */
const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  del: 'DELETE',
};

/** The schema library, and the contract's functions that declare schemas. */
const DECLARE_SCHEMAS = ['z', 'namedObject', 'dataOf', 'text', 'requiredText', 'each'];

/** Replaces the contract's schema library with `src/no-schemas.ts` and removes endpoint properties that browsers don't need. */
export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/contract\/src\/[\w/-]+\.ts$/ },
      handler: async (code, id) => {
        if (!SCHEMA_IMPORT.test(code)) return null;
        const shorter = withoutSchemasOf(code).replace(
          SCHEMA_IMPORT,
          `import { schema as z } from '${NO_SCHEMAS}';`,
        );
        // Drops the imports that only schemas and types used: their modules would become part of the first load.
        const { code: js, map } = await transformWithOxc(shorter, id, { tsconfig: false });
        return { code: js, map: map ?? null };
      },
    },
  };
}

/**
 * Replaces each endpoint declaration with an object of the properties that browsers need, and each schema with an empty schema.
 * The bundler can then drop unused endpoints and schemas.
 */
function withoutSchemasOf(code: string): string {
  let shorter = code;
  for (const statement of parseAst(code, { lang: 'ts' }).body.toReversed()) {
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const call of callsIn(declaration.declarations[0]?.init).toReversed()) {
      const declared = isSchema(call) ? 'z' : endpointIn(call, code);
      if (declared === null) continue;
      const lines = '\n'.repeat(code.slice(call.start, call.end).split('\n').length - 1);
      shorter = shorter.slice(0, call.start) + lines + declared + shorter.slice(call.end);
    }
  }
  return shorter;
}

/** Returns the calls that a declaration's value consists of: the value itself, or the fields of an object. */
function callsIn(value: ESTree.Expression | null | undefined): ESTree.CallExpression[] {
  if (value?.type === 'TSAsExpression') return callsIn(value.expression);
  if (value?.type === 'CallExpression') return [value];
  if (value?.type !== 'ObjectExpression') return [];
  return value.properties.flatMap((part) =>
    callsIn(part.type === 'SpreadElement' ? part.argument : part.value),
  );
}

/** Checks whether a call declares a schema: by the schema library, one of our schema functions, or a method of their result. */
function isSchema({ callee }: ESTree.CallExpression): boolean {
  let root = callee;
  while (root.type === 'MemberExpression' || root.type === 'CallExpression')
    root = root.type === 'MemberExpression' ? root.object : root.callee;
  return root.type === 'Identifier' && DECLARE_SCHEMAS.includes(root.name);
}

function endpointIn(
  { callee, arguments: [path, definition] }: ESTree.CallExpression,
  code: string,
): string | null {
  const method = callee.type === 'Identifier' && METHODS[callee.name];
  if (!method || !path || definition?.type !== 'ObjectExpression') return null;
  const needed = definition.properties.filter(
    (part) =>
      part.type === 'SpreadElement' ||
      (part.key.type === 'Identifier' && KEPT.includes(part.key.name)),
  );
  const parts = [path, ...needed].map(({ start, end }) => code.slice(start, end));
  return `{ method: '${method}', path: ${parts.join(', ')} }`;
}
