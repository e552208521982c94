import path from 'node:path';
import type { Config } from '../config.ts';
import { openLocalStorage } from './local-storage.ts';
import type { ObjectStorage } from './storage.ts';

/** Opens where the installation keeps its files: the configured bucket, or a folder of its data directory. */
export async function openStorage({
  dataDir,
  s3,
}: Pick<Config, 'dataDir' | 's3'>): Promise<ObjectStorage> {
  if (s3 === null) return openLocalStorage(path.join(dataDir, 'files'));
  // Large, and loaded only where it is used.
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage(s3);
}
