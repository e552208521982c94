import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { storageFull } from '../errors.ts';
import { checkedKey, type ObjectStorage } from './storage.ts';

/** A bucket's address. The credentials come from the sources that AWS's own tools use: the environment, a profile, a role. */
export interface S3Settings {
  readonly bucket: string;
  /** The URL of an S3-compatible server; null: Amazon's own. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** Bytes per part of a large upload. Two parts are uploaded at a time, which bounds an upload's memory. */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
/** Maximum number of connections: each download holds one for as long as its client reads. */
const CONNECTIONS = 500;
const CONNECT_MS = 5_000;
/** Milliseconds of silence after which a connection counts as broken. */
const SILENCE_MS = 60_000;

/**
 * Opens a bucket as object storage, and checks that it is writable.
 * @throws Error if the bucket can't be written
 */
export async function openS3Storage(settings: S3Settings): Promise<ObjectStorage> {
  const storage = objectsIn(settings);
  const probe = `probes/${randomUUID()}`;
  try {
    await storage.put(probe, Buffer.from('probe'), { contentType: 'text/plain' });
    await storage.delete(probe);
  } catch (error) {
    storage.close();
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new Error(`The bucket ${settings.bucket} can't be written (${reason})`, { cause: error });
  }
  return storage;
}

/** Returns a bucket as object storage, unchecked: the credentials may allow reading only. */
export function objectsIn(settings: S3Settings): ObjectStorage {
  const client = new S3Client({
    region: settings.region,
    // Most S3-compatible servers don't support buckets as host names, or the checksums that the client adds by default.
    ...(settings.endpoint !== null && { endpoint: settings.endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
  });
  const at = (key: string) => ({ Bucket: settings.bucket, Key: checkedKey(key) });

  return {
    async put(key, body, { contentType }) {
      const object = at(key);
      let size = 0;
      let failure: unknown = null;
      async function* counted() {
        try {
          for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
            const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as Uint8Array);
            size += bytes.length;
            yield bytes;
          }
        } catch (error) {
          failure = error;
          throw error;
        }
      }
      const upload = new Upload({
        client,
        params: {
          ...object,
          Body: Buffer.isBuffer(body) ? body : Readable.from(counted(), { objectMode: false }),
          ContentType: contentType,
        },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
        leavePartsOnError: false,
      });
      try {
        await upload.done();
      } catch (error) {
        throw failure ?? (isFull(error) ? storageFull() : error);
      }
      return Buffer.isBuffer(body) ? body.length : size;
    },

    async copy(from, to) {
      const { Bucket, Key } = at(from);
      const source = encodeURI(`${Bucket}/${Key}`);
      const copied = await client
        .send(new CopyObjectCommand({ ...at(to), CopySource: source }))
        .catch(nullIfMissing)
        .catch((error: unknown) => {
          throw isFull(error) ? storageFull() : error;
        });
      return copied !== null;
    },

    async get(key, range) {
      const object = at(key);
      const found = await client
        .send(
          new GetObjectCommand({
            ...object,
            ...(range && { Range: `bytes=${range.start}-${range.end}` }),
          }),
        )
        .catch(nullIfMissing);
      if (found === null) return null;
      if (!(found.Body instanceof Readable)) throw new Error('S3 returned no stream');
      return { body: found.Body, size: found.ContentLength ?? 0 };
    },

    async size(key) {
      const found = await client.send(new HeadObjectCommand(at(key))).catch(nullIfMissing);
      return found === null ? null : (found.ContentLength ?? 0);
    },

    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key))).catch(nullIfMissing);
    },

    close: () => client.destroy(),
  };
}

/** Checks for the errors of full servers and exceeded quotas. */
function isFull(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  return error.$metadata.httpStatusCode === 507 || /QuotaExceeded|StorageFull/.test(error.name);
}

function nullIfMissing(error: unknown): null {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null;
  throw error;
}
