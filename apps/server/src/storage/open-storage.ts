import path from 'node:path';
import type { Config } from '../config.ts';
import { filesBelow, openLocalStorage } from './local-storage.ts';
import type { S3Settings } from './s3-storage.ts';
import type { ObjectStorage } from './storage.ts';

type StorageSettings = Pick<Config, 'dataDir' | 's3'>;

const folderOf = ({ dataDir }: StorageSettings) => path.join(dataDir, 'files');

/** Opens the installation's file storage: the configured bucket, or a folder in its data directory. */
export async function openStorage(settings: StorageSettings): Promise<ObjectStorage> {
  return settings.s3 === null ? openLocalStorage(folderOf(settings)) : openBucket(settings.s3);
}

/** Opens the same storage for reading only, for a program next to the server. */
export async function openStorageReadOnly(settings: StorageSettings): Promise<ObjectStorage> {
  return settings.s3 === null ? filesBelow(folderOf(settings)) : openBucket(settings.s3);
}

async function openBucket(s3: S3Settings): Promise<ObjectStorage> {
  // The client library is large, so it is loaded only if needed.
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage(s3);
}
