import path from 'node:path';
import type { Config } from '../config.ts';
import { openLocalStorage } from './local-storage.ts';
import type { ObjectStorage } from './storage.ts';

/** Opens where the installation keeps its files: a folder of its data directory. */
export function openStorage({ dataDir }: Pick<Config, 'dataDir'>): Promise<ObjectStorage> {
  return openLocalStorage(path.join(dataDir, 'files'));
}
