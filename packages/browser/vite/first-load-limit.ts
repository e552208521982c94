import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Fails the build if the first load of a page is too large.
 * @param max gzipped bytes of all counted scripts
 * @param counted returns the chunks that the first load needs, given all chunks and the page's HTML
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
      // Runs after the HTML page is generated.
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
