import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { firstLoadLimit } from '../../packages/browser/vite/first-load-limit.ts';
import { precompress } from '../../packages/browser/vite/precompress.ts';
import { serviceWorker } from '../../packages/browser/vite/service-worker.ts';
import { withoutSchemas } from '../../packages/browser/vite/without-schemas.ts';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** Bytes, gzipped, of all the scripts that a fan's phone needs before the conversation can be used. */
const FIRST_LOAD_MAX = 100_000;
/** What is fetched only when it is asked for: its size is not part of the first load. */
const ON_DEMAND = /^assets\/(lightbox|test-card-sheet|welcome-page|message-menu)-/;

const SERVICE_WORKER = fileURLToPath(new URL('src/service-worker.js', import.meta.url));

export default defineConfig({
  base: '/fan/',
  plugins: [
    withoutSchemas(),
    react(),
    tailwindcss(),
    serviceWorker(SERVICE_WORKER),
    firstLoadLimit(FIRST_LOAD_MAX, (chunks) =>
      chunks.filter(({ fileName }) => !ON_DEMAND.test(fileName)),
    ),
    precompress(),
  ],
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
      '/socket.io': { target: API, ws: true },
    },
  },
});
