import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Fails the build if a page's first load is too large: the scripts that the HTML names, and their static imports.
 * @param max the limit in bytes, gzipped
 */
export function firstLoadLimit(max: number): Plugin {
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
        const needed = namedByPage(chunks, page?.type === 'asset' ? String(page.source) : '');
        if (needed.length === 0) this.error('No scripts found for the first load');
        const bytes = needed.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
        if (bytes >= max)
          this.error(`The first load is ${bytes} bytes gzipped; it must be less than ${max}`);
      },
    },
  };
}

function namedByPage(
  chunks: readonly Rolldown.OutputChunk[],
  page: string,
): Rolldown.OutputChunk[] {
  const names = new Set(
    chunks.filter(({ fileName }) => page.includes(fileName)).map(({ fileName }) => fileName),
  );
  // The loop adds names to the set that it iterates over, and visits them too.
  for (const name of names) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    for (const imported of chunk?.imports ?? []) names.add(imported);
  }
  return chunks.filter(({ fileName }) => names.has(fileName));
}
