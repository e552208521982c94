import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { uploadFiles } from '@stagedoor/contract/media';
import { uploadOwnFiles } from '@stagedoor/contract/platform/fan-app';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, afterEach, expect, test } from 'vitest';
import { mp4Of } from '../../test/bombs.ts';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import { filesForm, uploadAsStaff } from '../../test/files.ts';
import { httpClient } from '../../test/http-client.ts';
import { sharedApp, startTestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { buildPicture } from '../../test/worlds/catalogue.ts';
import { type SignedInFan, signInFan } from '../../test/worlds/fan-world.ts';
import { openLocalStorage } from '../storage/local-storage.ts';
import type { ObjectStorage } from '../storage/storage.ts';

const MEGABYTE = 1024 * 1024;

const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-busy-'));
const local = await openLocalStorage(path.join(folder, 'files'));
/** Sizes of the blocks in which the last streamed object was written. */
let pieces: number[] = [];
/** Which storage operations are blocked: PNG pictures, or deletions. */
let slow: 'png' | 'delete' | null = null;
const held: (() => void)[] = [];
const pass = () => new Promise<void>((resolve) => held.push(resolve));
function release(): void {
  slow = null;
  for (const go of held.splice(0)) go();
}
/** The types of all pictures that were stored completely. */
let stored: string[] = [];

const storage: ObjectStorage = {
  ...local,
  async put(key, body, options) {
    if (!Buffer.isBuffer(body)) {
      pieces = [];
      const measured = body.map((piece: Buffer) => {
        pieces.push(piece.length);
        return piece;
      });
      return local.put(key, Readable.from(measured), options);
    }
    if (slow === 'png' && options.contentType === 'image/png') await pass();
    if (options.contentType !== 'image/webp') stored.push(options.contentType);
    return local.put(key, body, options);
  },
  async delete(key) {
    if (slow === 'delete') await pass();
    return local.delete(key);
  },
};
afterAll(() => rm(folder, { recursive: true }));
const app = await sharedApp({ storage, config: { dataDir: folder } });
afterEach(() => {
  release();
  stored = [];
});
const staff = await buildStaff(app);
const { id: conversationId } = await buildConversation(app);

const png = { data: await buildPicture(), filename: 'a.png' };
const jpeg = { data: await buildPicture({ format: 'jpeg' }), filename: 'a.jpg' };
const upload = ({ client }: SignedInFan, file = png) =>
  client.upload(uploadOwnFiles, filesForm([file]));

/** Sends a fan's picture over a connection that the test can close. */
function sendAlone({ token }: SignedInFan, data: Uint8Array): ClientRequest {
  const head = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="files"; filename="a.png"\r\n\r\n',
  );
  const tail = Buffer.from('\r\n--x--\r\n');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': head.length + data.length + tail.length,
  };
  const options = { method: 'POST', headers, agent: false };
  const sent = request(new URL(uploadOwnFiles.path, app.url), options);
  sent.on('error', () => undefined);
  sent.write(head);
  sent.write(data);
  sent.end(tail);
  return sent;
}

/** Counts pictures that wait on disk, by this process's open files, because the server runs in it. */
async function waitingOnDisk(): Promise<number> {
  const open = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith(`${folder}/.upload-`)).length;
}

test('a recording of small boxes is written in blocks of 64 KB', async () => {
  const data = mp4Of(100_000);
  const [clip] = await uploadAsStaff(staff, conversationId, { data, filename: 'clip.mp4' });
  expect(clip?.size).toBe(data.length);
  expect(pieces.length).toBeLessThanOrEqual(Math.ceil(data.length / 65_536));
});

test('a fan’s many pictures delay neither another fan’s nor staff’s', async () => {
  const [busy, other] = [await signInFan(app), await signInFan(app)];
  slow = 'png';
  const many = Array.from({ length: 5 }, () => upload(busy));
  await until('the first is stored', () => held.length > 0);
  await upload(other, jpeg);
  await uploadAsStaff(staff, conversationId, jpeg);
  expect(held).toHaveLength(1);
  release();
  await Promise.all(many);
});

test('pictures wait on disk, without a name, and not in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const buffers = () => {
    collect();
    return process.memoryUsage().arrayBuffers / MEGABYTE;
  };
  const fans = await Promise.all(Array.from({ length: 8 }, () => signInFan(app)));
  const large = Buffer.concat([png.data, Buffer.alloc(20 * MEGABYTE)]);
  const before = buffers();
  slow = 'png';
  const all = fans.map((fan) => sendAlone(fan, large));
  const replies = all.map(
    (sent) => new Promise<IncomingMessage>((resolve) => sent.once('response', resolve)),
  );
  await until('all wait', async () => (await waitingOnDisk()) === 8 && held.length === 2);
  // Only two are in memory.
  await expect.poll(() => buffers() - before).toBeLessThan(80);
  expect((await readdir(folder)).filter((name) => name.startsWith('.upload'))).toEqual([]);
  release();
  for (const reply of await Promise.all(replies)) expect(reply.resume().statusCode).toBe(201);
  expect(await waitingOnDisk()).toBe(0);
});

test('a waiting picture is dropped if its sender leaves', async () => {
  const me = await signInFan(app);
  slow = 'png';
  const first = upload(me);
  await until('the first is stored', () => held.length > 0);
  const second = sendAlone(me, png.data);
  await until('the second waits', async () => (await waitingOnDisk()) === 2);
  second.destroy();
  await until('the second is given up', async () => (await waitingOnDisk()) === 1);
  release();
  await first;
  await upload(me, jpeg);
  expect(stored).toEqual(['image/png', 'image/jpeg']);
});

test('a picture is not stored if its sender leaves while it is processed', async () => {
  const me = await signInFan(app);
  const sent = sendAlone(me, await buildPicture({ width: 8_000, height: 6_000 }));
  await until('it is being processed', () => sharp.counters().process > 0);
  sent.destroy();
  await until('it is given up', async () => (await waitingOnDisk()) === 0);
  await upload(me, jpeg);
  expect(stored).toEqual(['image/jpeg']);
});

test('a picture that waits too long is rejected with 503 and a retry time', async () => {
  const hurried = await startTestApp({
    databaseUrl: app.databaseUrl,
    storage,
    config: { dataDir: folder },
    picturePatience: 1,
  });
  const me = await signInFan(app);
  const client = httpClient(hurried.url, me.token);
  slow = 'png';
  const first = client.upload(uploadOwnFiles, filesForm([png]));
  await until('the first is stored', () => held.length > 0);
  const refusal = await client.refused(uploadOwnFiles, { body: filesForm([png]) });
  expect(refusal).toMatchObject({ status: 503, code: 'unavailable' });
  expect(refusal.headers.get('retry-after')).toBe('30');
  release();
  await first;
  await hurried.close();
});

test('a fan’s picture of more than 12 megapixels is scaled down, staff’s is not', async () => {
  const data = await buildPicture({ width: 5_000, height: 4_000, format: 'jpeg' });
  const large = { data, filename: 'large.jpg' };
  const [kept] = (await upload(await signInFan(app), large)).body.attachments;
  expect(kept).toMatchObject({ width: 3_873, height: 3_098 });
  const [whole] = await uploadAsStaff(staff, conversationId, large);
  expect(whole).toMatchObject({ width: 5_000, height: 4_000 });
});

test('no transaction is open while the storage deletes', async () => {
  slow = 'delete';
  const svg = { data: new TextEncoder().encode('<svg/>'), filename: 'x.png' };
  const body = filesForm([jpeg, svg], { conversation_id: conversationId });
  const refused = staff.client.refused(uploadFiles, { body });
  await until('the first is deleted', () => held.length > 0);
  const idle = async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`.execute(app.db.kysely);
    return rows;
  };
  await expect.poll(idle).toEqual([]);
  expect(held).toHaveLength(1);
  release();
  expect((await refused).code).toBe('invalid_file');
});
