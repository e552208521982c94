import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transformWithOxc } from 'vite';
import type { Change, Variant } from './variants.ts';

const SOURCES = 'apps/server/src';
const BUILT = 'apps/server/dist';
/** Inside the repository, so that packages resolve. */
const VARIANTS = '.stagedoor/variants';

/**
 * Builds a variant of the server: a copy of the real build with the changed files replaced.
 * @returns the path of its main program
 * @throws Error if a passage to replace doesn't occur exactly once
 */
export async function buildVariant({ name, changes }: Variant): Promise<string> {
  const folder = path.resolve(VARIANTS, name, BUILT);
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.dirname(folder), { recursive: true });
  await cp(BUILT, folder, { recursive: true });
  for (const [file, source] of await changedSources(changes)) {
    const text = file.endsWith('.ts') ? await programOf(file, source) : source;
    await writeFile(path.join(folder, file.replace(/\.ts$/, '.js')), text);
  }
  return path.join(folder, 'main.js');
}

async function programOf(file: string, source: string): Promise<string> {
  const { code } = await transformWithOxc(source, file, { sourcemap: false });
  return code.replaceAll(/(from\s*|import\()(["']\.[^"']+)\.ts(["'])/g, '$1$2.js$3');
}

/** Returns the sources that a variant changes, by path below `apps/server/src`. @throws Error as {@link changed} */
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
