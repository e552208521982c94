import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Rolldown } from 'vite';
import { firstLoadLimit } from '../../packages/browser/vite/first-load-limit.ts';
import { precompress } from '../../packages/browser/vite/precompress.ts';
import { serviceWorker } from '../../packages/browser/vite/service-worker.ts';
import { withoutSchemas } from '../../packages/browser/vite/without-schemas.ts';
import { catalogues } from './vite/catalogues.ts';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';
const FAN_CLIENT = process.env.FAN_URL ?? API;

/**
 * Bytes, gzipped, of what is built of the scripts that the page names, and so needs before the inbox can be used. With those
 * that are served as they lie in `public`, 120,000.
 */
const FIRST_LOAD_MAX = 118_950;

const SERVICE_WORKER = fileURLToPath(new URL('src/service-worker.js', import.meta.url));

/** The page's own scripts, and whatever these can't begin without. */
function namedByPage(
  chunks: readonly Rolldown.OutputChunk[],
  page: string,
): Rolldown.OutputChunk[] {
  const names = new Set(
    chunks.filter(({ fileName }) => page.includes(fileName)).map(({ fileName }) => fileName),
  );
  // A set that grows while it is walked through is walked to its end.
  for (const name of names) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    for (const imported of chunk?.imports ?? []) names.add(imported);
  }
  return chunks.filter(({ fileName }) => names.has(fileName));
}

/** Modules in `src/app` that begin a piece. */
const pieceOf = (...names: readonly string[]) =>
  new RegExp(`[\\\\/]src[\\\\/]app[\\\\/](?:[\\w-]+[\\\\/])?(${names.join('|')})\\.tsx?$`);

export default defineConfig({
  plugins: [
    catalogues(),
    withoutSchemas(),
    react(),
    tailwindcss(),
    serviceWorker(SERVICE_WORKER),
    firstLoadLimit(FIRST_LOAD_MAX, namedByPage),
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
      // Declaring a schema or an endpoint does nothing else, nor does reading a part of one: those that nothing uses are dropped.
      treeshake: { manualPureFunctions: ['z', 'endpoint'], propertyReadSideEffects: false },
      output: {
        // The first load in two files instead of a dozen; most releases leave the first of them as it is. What follows it
        // by itself comes in one piece each, with all that it needs: many small files wait for one another.
        codeSplitting: {
          groups: [
            { name: 'framework', tags: ['$initial'], test: /[\\/]node_modules[\\/]/, priority: 4 },
            { name: 'console', tags: ['$initial'], priority: 3 },
            {
              name: 'tools',
              test: pieceOf('inbox-tools', 'command-keys', 'live-later'),
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
      '/fan': { target: FAN_CLIENT, ws: true },
      '/socket.io': { target: API, ws: true },
    },
  },
});
