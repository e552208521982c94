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
const FAN_CLIENT = process.env.FAN_URL ?? API;

/**
 * The size limit, in gzipped bytes, of the built scripts that the page needs before the inbox can be used. Together with the
 * scripts in `public`, the limit is 118,500.
 */
const FIRST_LOAD_MAX = 117_540;

const SERVICE_WORKER = fileURLToPath(new URL('src/service-worker.js', import.meta.url));

/** Returns a pattern for the paths of modules in `src/app`, each of which starts a chunk. */
const pieceOf = (...names: readonly string[]) =>
  new RegExp(`[\\\\/]src[\\\\/]app[\\\\/](?:[\\w-]+[\\\\/])?(${names.join('|')})\\.tsx?$`);

export default defineConfig({
  plugins: [
    catalogues(),
    withoutSchemas(),
    react(),
    tailwindcss(),
    serviceWorker(SERVICE_WORKER),
    firstLoadLimit(FIRST_LOAD_MAX),
    precompress(),
  ],
  build: {
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // The content security policy forbids data: URLs for fonts and scripts. Browsers also cache separate files better.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Schema declarations and property reads have no side effects, so unused ones can be dropped.
      treeshake: {
        manualPureFunctions: [
          'z',
          'namedObject',
          'dataOf',
          'sentence',
          'requiredText',
          'eachProfileField',
        ],
        propertyReadSideEffects: false,
      },
      output: {
        // The first load takes two files instead of a dozen, and most releases leave `framework` unchanged. Each lazy part is
        // a single chunk with all its dependencies, because many small files would load one after the other.
        codeSplitting: {
          groups: [
            { name: 'framework', tags: ['$initial'], test: /[\\/]node_modules[\\/]/, priority: 4 },
            { name: 'console', tags: ['$initial'], priority: 3 },
            {
              name: 'tools',
              test: pieceOf('inbox-tools', 'command-keys', 'live-lazy'),
              priority: 2,
            },
            { name: 'conversation', test: pieceOf('conversation-screen'), priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': API,
      '/dev': API,
      '/invite': API,
      '/sample-avatars': API,
      '/fan': { target: FAN_CLIENT, ws: true },
      '/socket.io': { target: API, ws: true },
    },
  },
});
