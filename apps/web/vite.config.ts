import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { withoutSchemas } from '../../packages/browser/vite/without-schemas.ts';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

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
