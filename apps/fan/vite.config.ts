import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { catalogues } from '../../packages/browser/vite/catalogues.ts';
import { firstLoadLimit } from '../../packages/browser/vite/first-load-limit.ts';
import { precompress } from '../../packages/browser/vite/precompress.ts';
import { serviceWorker } from '../../packages/browser/vite/service-worker.ts';
import { withoutSchemas } from '../../packages/browser/vite/without-schemas.ts';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** The size limit in bytes, gzipped, of all scripts that are needed before the conversation can be used. */
const FIRST_LOAD_MAX = 100_000;

const SERVICE_WORKER = fileURLToPath(new URL('src/service-worker.js', import.meta.url));

export default defineConfig({
  base: '/fan/',
  plugins: [
    withoutSchemas(),
    catalogues(),
    react(),
    tailwindcss(),
    serviceWorker(SERVICE_WORKER),
    firstLoadLimit(FIRST_LOAD_MAX),
    precompress(),
  ],
  build: {
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // The content security policy forbids data: URLs for fonts and scripts, and separate files are cached better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Schema declarations have no side effects, so unused ones can be dropped.
      treeshake: { manualPureFunctions: ['z', 'namedObject', 'dataOf'] },
    },
  },
  server: {
    proxy: {
      '/api': API,
      '/socket.io': { target: API, ws: true },
    },
  },
});
