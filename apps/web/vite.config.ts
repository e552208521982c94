import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { precompress } from '../../packages/browser/vite/precompress.ts';
import { withoutSchemas } from '../../packages/browser/vite/without-schemas.ts';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [withoutSchemas(), react(), tailwindcss(), precompress()],
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
      output: {
        // The first load in two files instead of a dozen; most releases leave the first of them as it is.
        codeSplitting: {
          groups: [
            { name: 'framework', tags: ['$initial'], test: /[\\/]node_modules[\\/]/ },
            { name: 'console', tags: ['$initial'] },
          ],
        },
      },
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
