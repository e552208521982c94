import { request } from 'node:http';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import {
  getFanHome,
  listOwnMessages,
  reactAsFan,
  readOwnMessages,
  sendOwnMessage,
  uploadOwnFiles,
} from '@stagedoor/contract/platform/fan-app';
import { listFanMessages } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import { buildFan, buildReply, buildStaff, unique } from '../../../test/factories.ts';
import { fetchFile, filesForm, SAMPLES } from '../../../test/files.ts';
import { CREATOR_NAME, sharedApp } from '../../../test/test-app.ts';
import { buildPicture } from '../../../test/worlds/catalogue.ts';
import { type SignedInFan, signInFan } from '../../../test/worlds/fan-world.ts';
import { FAN_DAY_BYTES } from './upload-allowance.ts';

const app = await sharedApp();
const staff = await buildStaff(app);

async function send({ client }: SignedInFan, content: string, more: object = {}) {
  const body = { client_id: unique('client'), content, ...more };
  return (await client.call(sendOwnMessage, { body })).body.data;
}
const page = async ({ client }: SignedInFan, query: { before?: string; limit?: number } = {}) =>
  (await client.call(listOwnMessages, { query })).body;
const home = async ({ client }: SignedInFan) => (await client.call(getFanHome)).body.data;

async function upload({ client }: SignedInFan) {
  const form = filesForm([{ data: await buildPicture(), filename: 'a.png' }]);
  const [attachment] = (await client.upload(uploadOwnFiles, form)).body.attachments;
  if (attachment === undefined) throw new Error('nothing was uploaded');
  return attachment;
}

test('home shows the fan, the creator as fans see them, and the payment provider', async () => {
  const me = await signInFan(
    app,
    await buildFan(app, { first_name: 'Maya', email: 'm@x.example' }),
  );
  const { creator, ...rest } = await home(me);
  expect(rest).toEqual({
    fan: { id: me.fan.id, first_name: 'Maya' },
    conversation_id: me.fan.conversation_id,
    unread_count: 0,
    subscription: null,
    payment: 'platform',
    tips: [],
  });
  expect(creator).toMatchObject({ display_name: CREATOR_NAME, avatar_url: null });
});

test('the unread count covers the creator’s messages that the fan has not read, and none of the fan’s own', async () => {
  const me = await signInFan(app);
  await send(me, 'Hello');
  const first = await buildReply(staff, me.fan.conversation_id);
  await buildReply(staff, me.fan.conversation_id);
  expect(await home(me)).toMatchObject({ unread_count: 2 });
  const read = (id: string) => me.client.call(readOwnMessages, { body: { up_to_message_id: id } });
  expect((await read(first.id)).body.data.count).toBe(1);
  expect((await read(first.id)).body.data.count).toBe(0);
  expect(await home(me)).toMatchObject({ unread_count: 1 });
});

test('pages are ascending, say whether there is more, and have one version', async () => {
  const me = await signInFan(app);
  for (const content of ['1', '2', '3', '4', '5']) await send(me, content);
  const newest = await page(me, { limit: 2 });
  expect(newest.data.map(({ content }) => content)).toEqual(['4', '5']);
  expect(newest).toMatchObject({ has_more: true, version: 6 });
  const rest = await page(me, { limit: 3, before: newest.data[0]?.id ?? '' });
  expect(rest.data.map(({ content }) => content)).toEqual(['1', '2', '3']);
  expect(rest.has_more).toBe(false);
});

test('a fan with an empty conversation gets an empty page', async () => {
  expect(await page(await signInFan(app))).toEqual({
    data: [],
    unsent: [],
    has_more: false,
    version: 1,
  });
});

test('a fan’s daily upload limit does not affect other fans, and ends the next day', async () => {
  const me = await signInFan(app);
  const first = await upload(me);
  const uploads = app.db.kysely.updateTable('uploads').where('id', '=', first.id);
  await uploads.set({ size: FAN_DAY_BYTES - 1 }).execute();
  const before = await app.storedFiles();
  const form = filesForm([{ data: await buildPicture(), filename: 'a.png' }]);
  const refusal = { status: 413, code: 'payload_too_large' };
  expect(await me.client.refused(uploadOwnFiles, { body: form })).toMatchObject(refusal);
  await uploads.set({ size: FAN_DAY_BYTES }).execute();
  expect(await me.client.refused(uploadOwnFiles, { body: form })).toMatchObject(refusal);
  await expect.poll(() => app.storedFiles()).toEqual(before);
  await upload(await signInFan(app));
  await uploads.set({ created_at: new Date(Date.now() - 24 * 60 * 60_000) }).execute();
  await upload(me);
});

/** Starts an upload that declares this many bytes and sends only a few. */
function beginUpload({ token }: SignedInFan, declared: number | null) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=x',
    ...(declared !== null && { 'content-length': declared }),
  };
  const sent = request(new URL(uploadOwnFiles.path, app.url), { method: 'POST', headers });
  sent.on('error', () => undefined).write('--x\r\n');
  return sent;
}

test.each([
  ['declares', FAN_DAY_BYTES - 300_000],
  ['does not declare', null],
])(
  'an upload that %s its size reserves it in advance, and releases what it did not use',
  async (_what, declared) => {
    const me = await signInFan(app);
    const sent = beginUpload(me, declared);
    const file = { data: new Uint8Array(200_000).fill(7), filename: 'a.bin' };
    const another = async () => {
      const form = filesForm([file]);
      const { path, method } = uploadOwnFiles;
      const { status, headers } = await me.client.raw(method, path, { body: form });
      return [status, headers.get('retry-after')];
    };
    await expect.poll(another, { interval: 300 }).toEqual([429, '10']);
    await upload(await signInFan(app));
    sent.destroy();
    await expect.poll(another, { interval: 300 }).toEqual([201, null]);
  },
);

test('a fan’s concurrent uploads are limited, and a finished one makes room', async () => {
  const me = await signInFan(app);
  const open = Array.from({ length: 8 }, () => beginUpload(me, 1_000));
  const another = async () => {
    const { path, method } = uploadOwnFiles;
    const { status, headers } = await me.client.raw(method, path, { body: '{}' });
    return [status, headers.get('retry-after')];
  };
  // Hits the limit on concurrent uploads, not the one per minute, which has a longer wait.
  await expect.poll(another, { interval: 300 }).toEqual([429, '10']);
  for (const sent of open) sent.destroy();
  await expect.poll(another, { interval: 300 }).toEqual([415, null]);
});

test('a fan’s message reaches staff and equals the one in the platform API', async () => {
  const me = await signInFan(app);
  const message = await send(me, 'Hello there');
  const byPlatform = await app.platform.call(listFanMessages, {
    params: { fan: me.fan.external_id },
  });
  expect(byPlatform.body.data).toEqual([{ ...message, campaign_id: null }]);
  const byStaff = await staff.client.call(listMessages, {
    params: { id: me.fan.conversation_id },
  });
  expect(byStaff.body.data).toMatchObject([
    { id: message.id, content: 'Hello there', author: null },
  ]);
});

test('the same client id and payload return the same message, another payload is refused', async () => {
  const me = await signInFan(app);
  const body = { client_id: unique('client'), content: 'Once' };
  const first = await me.client.call(sendOwnMessage, { body });
  const again = await me.client.call(sendOwnMessage, { body });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  const other = await me.client.refused(sendOwnMessage, { body: { ...body, content: 'Twice' } });
  expect(other).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  expect((await page(me)).data).toHaveLength(1);
});

test('a message without text and attachments is refused', async () => {
  const me = await signInFan(app);
  const refusal = await me.client.refused(sendOwnMessage, {
    body: { client_id: unique('client'), content: '  ' },
  });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
});

test('a fan can send their uploads and quote messages', async () => {
  const me = await signInFan(app);
  const question = await buildReply(staff, me.fan.conversation_id, { content: 'Show me' });
  const uploaded = await upload(me);
  const seen = await fetchFile(app, uploaded.url);
  expect(seen.status).toBe(200);
  const message = await send(me, 'Here', {
    attachment_ids: [uploaded.id],
    reply_to_message_id: question.id,
  });
  expect(message.attachments).toMatchObject([{ id: uploaded.id, locked: false }]);
  expect(message.reply_to).toMatchObject({ id: question.id, content: 'Show me' });
  expect((await fetchFile(app, message.attachments[0]?.url)).bytes).toEqual(seen.bytes);
});

test('an upload accepts only files', async () => {
  const me = await signInFan(app);
  const file = { data: SAMPLES.pdf, filename: 'a.pdf' };
  const withField = filesForm([file], { conversation_id: me.fan.conversation_id });
  expect(await me.client.refused(uploadOwnFiles, { body: withField })).toMatchObject({
    status: 400,
    code: 'invalid_request',
  });
  expect(await me.client.refused(uploadOwnFiles, { body: filesForm([]) })).toMatchObject({
    status: 400,
  });
});

test('the same reaction again removes it, another one replaces it', async () => {
  const me = await signInFan(app);
  const { id } = await buildReply(staff, me.fan.conversation_id);
  const react = async (emoji: '🔥' | '👍') =>
    (await me.client.call(reactAsFan, { body: { message_id: id, emoji } })).body.data;
  expect(await react('🔥')).toMatchObject({ action: 'added', reaction: { user_id: me.fan.id } });
  expect(await react('👍')).toMatchObject({ action: 'added' });
  expect((await page(me)).data[0]?.reactions).toMatchObject([{ emoji: '👍', user_id: me.fan.id }]);
  expect(await react('👍')).toMatchObject({ action: 'removed' });
  expect((await page(me)).data[0]?.reactions).toEqual([]);
});

test('another fan’s data is not found in any request that takes an id', async () => {
  const me = await signInFan(app);
  const other = await signInFan(app);
  const theirs = await buildReply(staff, other.fan.conversation_id);
  const file = await upload(other);
  const mine = { client_id: unique('client'), content: 'x' };
  for (const id of [theirs.id, other.fan.conversation_id, 'nonsense', '0'.repeat(128)]) {
    const refusals = await Promise.all([
      me.client.refused(listOwnMessages, { query: { before: id } }),
      me.client.refused(readOwnMessages, { body: { up_to_message_id: id } }),
      me.client.refused(reactAsFan, { body: { message_id: id, emoji: '🔥' } }),
      me.client.refused(sendOwnMessage, { body: { ...mine, reply_to_message_id: id } }),
    ]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 404, code: 'message_not_found' });
    }
  }
  const taken = await me.client.refused(sendOwnMessage, {
    body: { ...mine, attachment_ids: [file.id] },
  });
  expect(taken).toMatchObject({ status: 400, code: 'invalid_attachment' });
  expect((await page(me)).data).toEqual([]);
  expect((await page(other)).data).toMatchObject([{ id: theirs.id, read_at: null, reactions: [] }]);
});

test.each([
  ['sends', sendOwnMessage, 60],
  ['uploads', uploadOwnFiles, 30],
  ['reactions', reactAsFan, 120],
] as const)(
  'too many %s of one fan are refused with a time to wait in all their sessions, but not other fans’',
  async (_what, { method, path }, max) => {
    const [me, other] = [await signInFan(app), await signInFan(app)];
    const elsewhere = await signInFan(app, me.fan);
    // The rate limit is checked before the body.
    for (let n = 1; n <= max; n++) {
      expect((await me.client.raw(method, path, { body: '{}' })).status).not.toBe(429);
    }
    const refused = await me.client.raw(method, path, { body: '{}' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'rate_limited' });
    expect((await elsewhere.client.raw(method, path, { body: '{}' })).status).toBe(429);
    expect((await other.client.raw(method, path, { body: '{}' })).status).toBeOneOf([400, 415]);
  },
);
