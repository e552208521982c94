import { fileURLToPath } from 'node:url';
import { type Plugin, parseAst } from 'vite';

const NO_SCHEMAS = fileURLToPath(new URL('../src/no-schemas.ts', import.meta.url));
const SCHEMA_IMPORT = /^import \* as z from 'zod\/mini';$/m;
/** The endpoint properties that a browser needs for a call. The rest is for the server and the documentation. */
const CALLED_BY = ['method', 'path', 'auth', 'upload', 'download'];

/** Replaces the contract's schema library with `src/no-schemas.ts` and removes endpoint properties that browsers don't need. */

export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/contract\/src\/[\w/-]+\.ts$/ },
      handler: (code) =>
        withoutSchemasOf(code).replace(
          SCHEMA_IMPORT,
          `import { schema as z } from '${NO_SCHEMAS}';`,
        ),
    },
  };
}

/** Blanks out the endpoint properties that browsers don't need, keeping line numbers. */
function withoutSchemasOf(code: string): string {
  if (!code.includes('endpoint({')) return code;
  let shorter = code;
  for (const statement of parseAst(code, { lang: 'ts' }).body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { declaration } = statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { init } of declaration.declarations) {
      if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') continue;
      const [definition] = init.arguments;
      if (init.callee.name !== 'endpoint' || definition?.type !== 'ObjectExpression') continue;
      for (const part of definition.properties) {
        if (part.type !== 'Property' || part.key.type !== 'Identifier') continue;
        if (CALLED_BY.includes(part.key.name)) continue;
        const blank = code.slice(part.start, part.end).replace(/[^\n]/g, ' ');
        const comma = /^\s*,/.exec(code.slice(part.end))?.[0].length ?? 0;
        const rest = code.slice(part.end, part.end + comma).replace(',', ' ');
        shorter = `${shorter.slice(0, part.start)}${blank}${rest}${shorter.slice(part.end + comma)}`;
      }
    }
  }
  return shorter;
}
