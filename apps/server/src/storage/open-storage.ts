import path from 'node:path';
import type { Config } from '../config.ts';
import { filesBelow, openLocalStorage } from './local-storage.ts';
import type { ObjectStorage } from './storage.ts';

type StorageSettings = Pick<Config, 'dataDir' | 's3'>;

const folderOf = ({ dataDir }: StorageSettings) => path.join(dataDir, 'files');

/** Opens the installation's file storage: the configured bucket, or a folder in its data directory. */
export async function openStorage(settings: StorageSettings): Promise<ObjectStorage> {
  if (settings.s3 === null) return openLocalStorage(folderOf(settings));
  return (await loadS3()).openS3Storage(settings.s3);
}

/** Opens the same storage for reading only, for a program next to the server. */
export async function openStorageReadOnly(settings: StorageSettings): Promise<ObjectStorage> {
  if (settings.s3 === null) return filesBelow(folderOf(settings));
  return (await loadS3()).objectsIn(settings.s3);
}

/** Loads the client library, which is large, only if needed. */
const loadS3 = () => import('./s3-storage.ts');
