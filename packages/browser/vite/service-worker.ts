import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Emits the service worker with the names of all built files and a version that changes with them.
 * @param source the service worker's source file
 */
export function serviceWorker(source: string): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => /^assets\/.*\.(js|css|woff2)$/.test(name))
        .sort();
      const code = readFileSync(source, 'utf8');
      const version = createHash('sha256').update(code).update(files.join()).digest('hex');
      this.emitFile({
        type: 'asset',
        fileName: 'sw.js',
        source: code
          .replace("'__VERSION__'", JSON.stringify(version.slice(0, 16)))
          .replace("'__FILES__'", JSON.stringify(files)),
      });
    },
  };
}
