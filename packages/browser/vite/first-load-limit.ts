import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Fails a build that would make people load too much before they can begin.
 * @param max bytes, gzipped, of all scripts that count
 * @param counted those of the build that are needed to begin
 */
export function firstLoadLimit(
  max: number,
  counted: (chunks: readonly Rolldown.OutputChunk[]) => readonly Rolldown.OutputChunk[],
): Plugin {
  return {
    name: 'first-load-limit',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const bytes = counted(chunks).reduce((sum, { code }) => sum + gzipSync(code).length, 0);
      if (bytes >= max)
        this.error(`The first load is ${bytes} bytes gzipped, of fewer than ${max}`);
    },
  };
}
