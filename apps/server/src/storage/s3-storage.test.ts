import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import { fetchFile, SAMPLES, uploadAsStaff } from '../../test/files.ts';
import { leftOut } from '../../test/left-out.ts';
import {
  SWIFT_CREDENTIALS,
  type Swift,
  startSwift,
  swiftMissing,
} from '../../test/servers/swift.ts';
import { testStorage } from '../../test/storage-suite.ts';
import { startTestApp } from '../../test/test-app.ts';
import { buildPicture } from '../../test/worlds/catalogue.ts';
import { openStorageReadOnly } from './open-storage.ts';
import { openS3Storage } from './s3-storage.ts';

const REGION = 'us-east-1';
const skips = leftOut('The S3 storage is', swiftMissing());

describe.skipIf(skips)('on Swift', () => {
  let swift: Swift;
  const settings = (bucket: string) => ({ bucket, endpoint: swift.endpoint, region: REGION });

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', SWIFT_CREDENTIALS.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', SWIFT_CREDENTIALS.secretAccessKey);
    swift = await startSwift();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await swift?.stop();
  });

  testStorage('S3', async () => {
    await swift.createBucket('files');
    const { endpoint } = swift;
    const client = new S3Client({
      endpoint,
      region: REGION,
      forcePathStyle: true,
      credentials: SWIFT_CREDENTIALS,
    });
    const storage = await openS3Storage(settings('files'));
    return {
      storage,
      async everything() {
        const objects = await client.send(new ListObjectsV2Command({ Bucket: 'files' }));
        const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket: 'files' }));
        const found = [...(objects.Contents ?? []), ...(uploads.Uploads ?? [])];
        return found.map(({ Key = '' }) => Key).toSorted();
      },
      async close() {
        storage.close();
        client.destroy();
      },
    };
  });

  test('a missing or inaccessible bucket is reported at start', async () => {
    await expect(openS3Storage(settings('missing'))).rejects.toThrow(
      /^The bucket missing can't be written/,
    );
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
    await expect(openS3Storage(settings('files'))).rejects.toThrow(/can't be written/);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', SWIFT_CREDENTIALS.secretAccessKey);
  });

  test('a bucket that can only be read is readable when opened for reading only', async () => {
    await swift.createBucket('readable');
    const writer = await openS3Storage(settings('readable'));
    await writer.put('a/b', Buffer.from('kept'), { contentType: 'text/plain' });
    writer.close();
    const readers = createServer((incoming, reply) => {
      if (incoming.method !== 'GET') return void reply.writeHead(403).end();
      const { headers, url = '' } = incoming;
      // The signature covers the original Host header.
      request(swift.endpoint + url, { headers }, (answer) => {
        answer.pipe(reply.writeHead(answer.statusCode ?? 502, answer.headers));
      }).end();
    }).listen(0, '127.0.0.1');
    await once(readers, 'listening');
    const { port } = readers.address() as AddressInfo;
    const s3 = { ...settings('readable'), endpoint: `http://127.0.0.1:${port}` };
    const storage = await openStorageReadOnly({ dataDir: '', s3 });
    const found = await storage.get('a/b');
    expect(found && (await text(found.body))).toBe('kept');
    storage.close();
    readers.close();
  });

  test('an installation on a bucket stores uploads and serves them, in full and in part', async () => {
    await swift.createBucket('installation');
    const app = await startTestApp({ storage: await openS3Storage(settings('installation')) });
    const staff = await buildStaff(app);
    const { id } = await buildConversation(app);
    const photo = { data: await buildPicture(), filename: 'photo.png' };
    const clip = { data: SAMPLES.mp4, filename: 'clip.mp4' };
    const [image, video] = await uploadAsStaff(staff, id, photo, clip);
    expect((await fetchFile(app, image?.thumbnail_url)).status).toBe(200);
    expect((await fetchFile(app, video?.url)).bytes.equals(SAMPLES.mp4)).toBe(true);
    const part = await fetchFile(app, video?.url, { headers: { range: 'bytes=4-11' } });
    expect([part.status, part.bytes.toString()]).toEqual([206, 'ftypisom']);
    expect(await app.storedFiles()).toEqual([]);
    await app.close();
  });
});
