import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const NO_SCHEMAS = fileURLToPath(new URL('../src/no-schemas.ts', import.meta.url));
const SCHEMA_IMPORT = /^import \* as z from 'zod\/mini';$/m;

/** Gives the contract `src/no-schemas.ts` in place of the schema library. */
export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/contract\/src\/[\w-]+\.ts$/ },
      handler: (code) =>
        code.replace(SCHEMA_IMPORT, `import { schema as z } from '${NO_SCHEMAS}';`),
    },
  };
}
