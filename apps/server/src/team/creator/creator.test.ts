import { getCreator } from '@stagedoor/contract/platform/platform';
import { createProduct } from '@stagedoor/contract/selling/products';
import {
  AVATAR_MAX_BYTES,
  CREATOR_NAME_MAX_CHARS,
  getCreatorProfile,
  updateAvatar,
  updateCreator,
  uploadAvatar,
} from '@stagedoor/contract/team/creator';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { buildStaff, type Staff } from '../../../test/factories.ts';
import { animation, fetchFile, photoWithLocation, SAMPLES, SECRET } from '../../../test/files.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { CREATOR_NAME, sharedApp, startTestApp, type TestApp } from '../../../test/test-app.ts';
import { buildForm, buildPicture, productForm } from '../../../test/worlds/catalogue.ts';
import { sweepFiles } from '../../media/new-objects.ts';
import { dropUnusedAvatars, ensureCreator } from './creator.store.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const creatorOf = async (on: TestApp) => (await on.platform.call(getCreator)).body.data;
const { id: creatorId } = await creatorOf(app);

interface Call {
  readonly by?: Staff;
  readonly on?: TestApp;
  readonly headers?: Readonly<Record<string, string>>;
}

function send({ by = manager, on = app, headers = {} }: Call, path: string, body: unknown) {
  return on.anonymous.raw('POST', path, { body, headers: { cookie: by.avatarCookie, ...headers } });
}

const form = (data: Uint8Array, fields: Record<string, string> = { userId: creatorId }) =>
  buildForm({ ...fields, avatar: { data, filename: 'me.png' } });

async function upload(data: Uint8Array, call: Call = {}) {
  const userId = call.on ? (await creatorOf(call.on)).id : creatorId;
  const reply = await send(call, uploadAvatar.path, form(data, { userId }));
  expect(reply.status, reply.text).toBe(200);
  return (JSON.parse(reply.text) as { avatar: { s3_key: string; url: string } }).avatar;
}

async function link(avatarUrl: string, call: Call = {}, userId = creatorId) {
  const reply = await send(call, updateAvatar.path, { userId, avatarUrl });
  return {
    status: reply.status,
    body: JSON.parse(reply.text) as { code?: string; error?: string },
  };
}

async function refusedUpload(body: FormData, call: Call = {}) {
  const reply = await send(call, uploadAvatar.path, body);
  return { status: reply.status, ...(JSON.parse(reply.text) as { code: string; error: string }) };
}

const sweep = async () => {
  await dropUnusedAvatars(app.db);
  await sweepFiles(app);
};
const changes = async () =>
  (
    await app.db.kysely
      .selectFrom('audit_log')
      .select('id')
      .where('action', '=', 'creator.update_avatar')
      .execute()
  ).length;
const avatars = async () => (await app.storedFiles()).filter((file) => file.startsWith('avatars'));

test('a linked picture is visible to fans and to anyone with its URL, and is cached for a long time', async () => {
  const { s3_key, url } = await upload(await buildPicture({ width: 900, height: 300 }));
  expect((await creatorOf(app)).avatar_url).not.toBe(url);
  expect(await link(s3_key)).toMatchObject({ status: 200, body: { data: { avatar_url: url } } });
  expect((await creatorOf(app)).avatar_url).toBe(url);
  const support = await buildStaff(app);
  expect((await support.client.call(getCreatorProfile)).body.data).toEqual(await creatorOf(app));
  const { status, headers, bytes } = await fetchFile(app, url);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('image/webp');
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 });
  const head = await fetchFile(app, url, { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
  expect(head.headers.get('content-length')).toBe(String(bytes.length));
});

test('two simultaneous changes of the picture don’t deadlock', async () => {
  const [current, next] = [await upload(await buildPicture()), await upload(await buildPicture())];
  await link(current.s3_key);
  const links = await whileLocked(app.databaseUrl, 'select from creators for update', async () => {
    const changing = link(next.s3_key);
    await untilWaiting(app, 1);
    const retrying = link(current.s3_key);
    await untilWaiting(app, 2);
    return [changing, retrying];
  });
  // The retry finds its picture deleted.
  expect((await Promise.all(links)).map(({ status }) => status)).toEqual([200, 400]);
});

test('the URL is absolute if the console’s address is known', async () => {
  const own = await startTestApp({ config: { publicUrl: 'https://console.example' } });
  const by = await buildStaff(own, { role: 'creator' });
  const { s3_key, url } = await upload(await buildPicture(), { by, on: own });
  await link(s3_key, { by, on: own }, (await creatorOf(own)).id);
  const { avatar_url } = await creatorOf(own);
  expect(avatar_url).toBe(url);
  expect(avatar_url).toMatch(/^https:\/\/console\.example\/api\/avatars\/[\w-]{43}$/);
  expect((await fetchFile(own, new URL(url).pathname)).status).toBe(200);
  await own.close();
});

test('the picture is cropped to its center', async () => {
  const wide = await sharp(await buildPicture({ width: 600, height: 200, color: '#ff0000' }))
    .composite([{ input: await buildPicture({ width: 200, height: 200, color: '#0000ff' }) }])
    .png()
    .toBuffer();
  const { url } = await upload(wide);
  const { dominant } = await sharp((await fetchFile(app, url)).bytes).stats();
  expect(dominant.b).toBeGreaterThan(200);
  expect(dominant.r).toBeLessThan(60);
});

test.each(['jpeg', 'png', 'webp'] as const)(
  'a %s photo is rotated upright and loses its location data',
  async (format) => {
    const data = await photoWithLocation(format);
    expect(data.includes(SECRET)).toBe(true);
    const { bytes } = await fetchFile(app, (await upload(data)).url);
    const { exif, xmp, iptc, orientation } = await sharp(bytes).metadata();
    expect({ exif, xmp, iptc, orientation }).toEqual({});
    expect(bytes.includes('SECRET')).toBe(false);
  },
);

test('an animated GIF keeps its first frame', async () => {
  const { bytes } = await fetchFile(app, (await upload(await animation('gif'))).url);
  expect((await sharp(bytes).metadata()).pages).toBeUndefined();
});

const text = (content: string) => new TextEncoder().encode(content);

test.each<[string, () => Uint8Array | Promise<Uint8Array>]>([
  ['a PDF', () => SAMPLES.pdf],
  ['a film', () => SAMPLES.mp4],
  ['an SVG', () => text('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
  ['HTML', () => text('<html><script>1</script>')],
  ['an AVIF', () => photoWithLocation('avif')],
  ['a PNG that breaks off', async () => (await buildPicture()).subarray(0, 90)],
  ['an empty file', () => new Uint8Array()],
])('%s is refused as the creator’s picture, and nothing is stored', async (_what, build) => {
  const before = await avatars();
  expect(await refusedUpload(form(await build()))).toMatchObject({
    status: 400,
    code: 'invalid_file',
    error: 'Please select a valid image file (JPG, PNG, WEBP, or GIF)',
  });
  expect(await avatars()).toEqual(before);
});

test('a file of 5 MB is too large', async () => {
  expect(await refusedUpload(form(new Uint8Array(AVATAR_MAX_BYTES)))).toMatchObject({
    status: 413,
    code: 'payload_too_large',
    error: 'Image file must be less than 5MB',
  });
});

test('a file one byte below 5 MB is accepted', async () => {
  const picture = await buildPicture({ format: 'jpeg' });
  const padded = Buffer.concat([picture, Buffer.alloc(AVATAR_MAX_BYTES - 1 - picture.length)]);
  expect((await upload(padded)).s3_key).toMatch(/^avatars\//);
});

test('an upload needs exactly one file and the creator’s id', async () => {
  const picture = await buildPicture();
  const twice = form(picture);
  twice.append('userId', creatorId);
  const wrong = [
    form(picture, {}),
    form(picture, { userId: manager.admin.id }),
    form(picture, { userId: crypto.randomUUID() }),
    form(picture, { userId: creatorId, role: 'creator' }),
    twice,
    buildForm({ userId: creatorId, picture: { data: picture } }),
  ];
  const before = await avatars();
  for (const body of wrong) {
    expect(await refusedUpload(body)).toMatchObject({ status: 400, code: 'invalid_request' });
  }
  expect(await refusedUpload(buildForm({ userId: creatorId }))).toMatchObject({
    code: 'invalid_file',
  });
  expect(await avatars()).toEqual(before);
});

test('only a picture that the admin uploaded can be linked, and only to the creator', async () => {
  const other = await buildStaff(app, { role: 'creator' });
  const theirs = await upload(await buildPicture(), { by: other });
  const own = await upload(await buildPicture());
  const { body } = await manager.client.upload(createProduct, await productForm());
  const before = await creatorOf(app);
  const keys = [
    theirs.s3_key,
    body.data.full_s3_key,
    body.data.preview_s3_key,
    own.url,
    `${own.s3_key}x`,
    '../etc/passwd',
    'https://evil.example/x.png',
    '',
  ];
  for (const key of keys) {
    expect(await link(key), key).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  }
  for (const userId of [manager.admin.id, crypto.randomUUID(), '']) {
    expect(await link(own.s3_key, {}, userId)).toMatchObject({ status: 400 });
  }
  expect(await creatorOf(app)).toEqual(before);
});

test('linking the current picture again changes nothing', async () => {
  const { s3_key, url } = await upload(await buildPicture());
  const before = await changes();
  for (let n = 0; n < 2; n++) expect((await link(s3_key)).status).toBe(200);
  await sweep();
  expect((await fetchFile(app, url)).status).toBe(200);
  expect(await changes()).toBe(before + 1);
});

test('when two managers set a picture at once, one remains and the other’s file is deleted', async () => {
  const other = await buildStaff(app, { role: 'manager' });
  const mine = await upload(await buildPicture());
  const theirs = await upload(await buildPicture(), { by: other });
  const linked = await Promise.all([link(mine.s3_key), link(theirs.s3_key, { by: other })]);
  expect(linked.map(({ status }) => status)).toEqual([200, 200]);
  await sweep();
  const { avatar_url } = await creatorOf(app);
  for (const { url } of [mine, theirs]) {
    expect((await fetchFile(app, url)).status).toBe(url === avatar_url ? 200 : 404);
  }
});

test('replaced pictures and those not linked within a day are deleted; the others stay', async () => {
  const [replaced, old, fresh, current] = [
    await upload(await buildPicture()),
    await upload(await buildPicture()),
    await upload(await buildPicture()),
    await upload(await buildPicture()),
  ];
  for (const { s3_key } of [replaced, current]) await link(s3_key);
  await app.db.kysely
    .updateTable('avatar_uploads')
    .set({ created_at: sql<Date>`now() - interval '25 hours'` })
    .where('storage_key', 'in', [old.s3_key, current.s3_key])
    .execute();
  await sweep();
  const found = await Promise.all(
    [replaced, old, fresh, current].map(async ({ url }) => (await fetchFile(app, url)).status),
  );
  expect(found).toEqual([404, 404, 200, 200]);
});

test('a manager renames the creator; fans, teammates and the audit log get the new name', async () => {
  const own = await startTestApp();
  const by = await buildStaff(own, { role: 'manager' });
  const support = await buildStaff(own);
  const socket = await own.connectSocket(support.token);
  const before = await creatorOf(own);
  for (const display_name of ['', '   ', 'x'.repeat(CREATOR_NAME_MAX_CHARS + 1)]) {
    const refused = await by.client.refused(updateCreator, { body: { display_name } });
    expect(refused.status, display_name).toBe(400);
  }
  const rename = async () =>
    (await by.client.call(updateCreator, { body: { display_name: ' Luna ' } })).body.data;
  expect(await rename()).toEqual({ ...before, display_name: 'Luna' });
  await socket.nextEvent('shared_updated', ({ what }) => what === 'creator');
  expect(await creatorOf(own)).toMatchObject({ display_name: 'Luna' });
  await rename();
  const entries = await own.db.kysely
    .selectFrom('audit_log')
    .select(['admin_id', 'details'])
    .where('action', '=', 'creator.update_name')
    .execute();
  const details = { from: CREATOR_NAME, to: 'Luna' };
  expect(entries).toEqual([{ admin_id: by.admin.id, details }]);
  await ensureCreator(own.db, CREATOR_NAME);
  expect(await creatorOf(own)).toMatchObject({ display_name: 'Luna' });
  await ensureCreator(own.db, 'Stella');
  expect(await creatorOf(own)).toMatchObject({ display_name: 'Stella' });
  await own.close();
});

test.each([
  '/api/avatars/nonsense',
  `/api/avatars/${'A'.repeat(43)}`,
  '/api/avatars/..%2Fproducts%2Fx',
  '/api/avatars/',
])('%s is not found', async (path) => {
  expect((await fetchFile(app, path)).status).toBe(404);
});

test.each<[string, Record<string, string>]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['a sandboxed page', { origin: 'null' }],
  ['an origin that ours begins', { origin: `${app.url}.evil.example` }],
  ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling of our site', { 'sec-fetch-site': 'same-site' }],
])('calls from %s are refused, with or without the cookie', async (_where, headers) => {
  for (const cookie of [manager.avatarCookie, '']) {
    const call = { headers: { ...headers, cookie } };
    const refusal = { status: 403, code: 'origin_refused' };
    expect(await refusedUpload(form(await buildPicture()), call)).toMatchObject(refusal);
    const { status, body } = await link('x', call);
    expect({ status, ...body }).toMatchObject(refusal);
  }
});

test('calls from the console’s pages are accepted', async () => {
  const headers = { origin: app.url, 'sec-fetch-site': 'same-origin' };
  const { s3_key } = await upload(await buildPicture(), { headers });
  expect((await link(s3_key, { headers })).status).toBe(200);
});
