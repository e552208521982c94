import path from 'node:path';
import type { Config } from '../config.ts';
import { filesBelow, openLocalStorage } from './local-storage.ts';
import type { S3Settings } from './s3-storage.ts';
import type { ObjectStorage } from './storage.ts';

type Place = Pick<Config, 'dataDir' | 's3'>;

const folderOf = ({ dataDir }: Place) => path.join(dataDir, 'files');

/** Opens where the installation keeps its files: the configured bucket, or a folder of its data directory. */
export async function openStorage(place: Place): Promise<ObjectStorage> {
  return place.s3 === null ? openLocalStorage(folderOf(place)) : openBucket(place.s3);
}

/** The same for a program beside the server, only to be read from. */
export async function openStorageBeside(place: Place): Promise<ObjectStorage> {
  return place.s3 === null ? filesBelow(folderOf(place)) : openBucket(place.s3);
}

async function openBucket(s3: S3Settings): Promise<ObjectStorage> {
  // Large, and loaded only where it is used.
  const { openS3Storage } = await import('./s3-storage.ts');
  return openS3Storage(s3);
}
