import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|html|svg|webmanifest)$/;
/** Bytes below which a packet holds it either way. */
const WORTH_IT = 1_000;

/** Puts a compressed copy beside each text that is built: the server sends those as they lie there. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    // Behind everything that still changes files.
    writeBundle: {
      order: 'post',
      handler({ dir }, bundle) {
        if (dir === undefined) throw new Error('the build has no output directory');
        for (const name of Object.keys(bundle).filter((file) => COMPRESSIBLE.test(file))) {
          const file = path.join(dir, name);
          const content = readFileSync(file);
          if (content.length < WORTH_IT) continue;
          writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
          writeFileSync(`${file}.br`, brotliCompressSync(content));
        }
      },
    },
  };
}
