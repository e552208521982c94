import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|html|svg|webmanifest)$/;
/** The minimum size of a file to compress, in bytes. Smaller files fit into one packet even uncompressed. */
const MIN_BYTES = 1_000;

/** Adds compressed copies of text files to the build, so that the server doesn't have to compress them. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    enforce: 'post',
    // Runs after every plugin that changes files.
    writeBundle: {
      order: 'post',
      handler({ dir }, bundle) {
        if (dir === undefined) throw new Error('the build has no output directory');
        for (const name of Object.keys(bundle).filter((file) => COMPRESSIBLE.test(file))) {
          const file = path.join(dir, name);
          const content = readFileSync(file);
          if (content.length < MIN_BYTES) continue;
          writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
          writeFileSync(`${file}.br`, brotliCompressSync(content));
        }
      },
    },
  };
}
