import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'vite';
import type { Change, Variant } from './variants.ts';

const SOURCES = 'apps/server/src';
/** Inside the repository, so that packages resolve. */
const VARIANTS = '.stagedoor/variants';

/**
 * Builds a variant of the server.
 * @returns the path of its main program
 * @throws Error if a passage to replace doesn't occur exactly once
 */
export async function buildVariant({ name, changes }: Variant): Promise<string> {
  const outDir = path.resolve(VARIANTS, name, 'apps/server/dist');
  const sources = await changedSources(changes);
  await build({
    root: path.resolve('apps/server'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
    plugins: [
      {
        name: 'variant',
        enforce: 'pre',
        load: (id) => sources.get(path.relative(SOURCES, id)) ?? null,
      },
    ],
  });
  for (const [file, source] of sources) {
    if (file.endsWith('.sql')) await writeFile(path.join(outDir, path.basename(file)), source);
  }
  return path.join(outDir, 'main.js');
}

/** Returns the sources that a variant changes, by path below `apps/server/src`. @throws Error like {@link changed} */
export async function changedSources(changes: readonly Change[]): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const change of changes) {
    const { file } = change;
    const source = sources.get(file) ?? (await readFile(path.join(SOURCES, file), 'utf8'));
    sources.set(file, changed(source, change));
  }
  return sources;
}

/** Returns the source with the passage replaced. @throws Error if the passage doesn't occur exactly once */
export function changed(source: string, { file, find, put }: Change): string {
  const parts = source.split(find);
  if (parts.length !== 2) {
    throw new Error(`${file} holds this ${parts.length - 1} times instead of once:\n${find}`);
  }
  return parts.join(put);
}
