import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transformWithOxc } from 'vite';
import type { Change, Variant } from './variants.ts';

const SOURCES = 'apps/server/src';
const BUILT = 'apps/server/dist';
/** Within the tree, where the packages are found. */
const VARIANTS = '.stagedoor/variants';

/**
 * Builds a variant of the server beside the real one, of which it is a copy but for the files that are changed.
 * @returns its program
 * @throws Error where a passage is not there, or not just once
 */
export async function buildVariant({ name, changes }: Variant): Promise<string> {
  const folder = path.resolve(VARIANTS, name, BUILT);
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.dirname(folder), { recursive: true });
  await cp(BUILT, folder, { recursive: true });
  for (const [file, source] of await changedSources(changes)) {
    const { code } = await transformWithOxc(source, file, { sourcemap: false });
    const program = code.replaceAll(/(from\s*|import\()(["']\.[^"']+)\.ts(["'])/g, '$1$2.js$3');
    await writeFile(path.join(folder, file.replace(/\.ts$/, '.js')), program);
  }
  return path.join(folder, 'main.js');
}

/** The sources that a variant changes, by their path below the server's. @throws Error as {@link changed} */
export async function changedSources(changes: readonly Change[]): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const change of changes) {
    const { file } = change;
    const source = sources.get(file) ?? (await readFile(path.join(SOURCES, file), 'utf8'));
    sources.set(file, changed(source, change));
  }
  return sources;
}

/** @throws Error where the passage is not there, or not just once */
export function changed(source: string, { file, find, put }: Change): string {
  const parts = source.split(find);
  if (parts.length !== 2) {
    throw new Error(`${file} holds this ${parts.length - 1} times instead of once:\n${find}`);
  }
  return parts.join(put);
}
