import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

const NO_SCHEMAS = fileURLToPath(new URL('src/lib/no-schemas.ts', import.meta.url));
const SCHEMA_IMPORT = /^import \* as z from 'zod\/mini';$/m;

/** Gives the contract `src/lib/no-schemas.ts` in place of the schema library. */
function withoutSchemas(): Plugin {
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

export default defineConfig({
  plugins: [withoutSchemas(), react(), tailwindcss()],
  // 'source' takes the contract's TypeScript as it is, so that no build of it is needed first.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // The content security policy allows no data: fonts or scripts, and files cache better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Declaring a schema or an endpoint does nothing else: those that nothing uses are dropped.
      treeshake: { manualPureFunctions: ['z', 'endpoint'] },
    },
  },
  server: {
    proxy: {
      '/api': API,
      '/dev': API,
      '/socket.io': { target: API, ws: true },
    },
  },
});
