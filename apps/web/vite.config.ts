import { gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { precompress } from '../../packages/browser/vite/precompress.ts';
import { withoutSchemas } from '../../packages/browser/vite/without-schemas.ts';

const API = process.env.API_URL ?? 'http://127.0.0.1:3000';

/** Bytes, gzipped, of all the scripts that the page names, and so needs before the inbox can be used. */
const FIRST_LOAD_MAX = 120_000;

/** Fails a build that would make staff load too much before the inbox shows. */
function firstLoadLimit(): Plugin {
  return {
    name: 'first-load-limit',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const names = new Set(
        Object.values(bundle).flatMap((file) =>
          file.type === 'chunk' && file.isEntry ? file.fileName : [],
        ),
      );
      let bytes = 0;
      for (const name of names) {
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk') continue;
        bytes += gzipSync(chunk.code).length;
        // A set that grows while it is walked through is walked to its end.
        for (const imported of chunk.imports) names.add(imported);
      }
      if (bytes > FIRST_LOAD_MAX)
        this.error(`The first load is ${bytes} bytes gzipped, of at most ${FIRST_LOAD_MAX}`);
    },
  };
}

export default defineConfig({
  plugins: [withoutSchemas(), react(), tailwindcss(), firstLoadLimit(), precompress()],
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
