import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Fails a build that would make people load too much before they can begin.
 * @param max bytes, gzipped, of all scripts that count
 * @param counted those of the build that are needed to begin, of its page
 */
export function firstLoadLimit(
  max: number,
  counted: (
    chunks: readonly Rolldown.OutputChunk[],
    page: string,
  ) => readonly Rolldown.OutputChunk[],
): Plugin {
  return {
    name: 'first-load-limit',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // The page is written by then.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const page = bundle['index.html'];
        const html = page?.type === 'asset' ? String(page.source) : '';
        const needed = counted(chunks, html);
        if (needed.length === 0) this.error('No scripts found for the first load');
        const bytes = needed.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
        if (bytes >= max)
          this.error(`The first load is ${bytes} bytes gzipped; it must be less than ${max}`);
      },
    },
  };
}
