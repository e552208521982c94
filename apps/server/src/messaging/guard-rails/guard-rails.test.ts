import {
  type GuardRails,
  getGuardRails,
  updateGuardRails,
} from '@stagedoor/contract/messaging/guard-rails';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import { listAudit } from '@stagedoor/contract/team/audit';
import { beforeEach, expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
  unique,
} from '../../../test/factories.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { buildProduct } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const staff = await buildStaff(app);
const { id: conversation_id, fan } = await buildConversation(app);

const read = async () => (await manager.client.call(getGuardRails)).body.data;
async function set(part: Partial<Omit<GuardRails, 'version'>>): Promise<GuardRails> {
  const { version } = await read();
  const none = { banned_words: [], price_min: null, price_max: null };
  const { body } = await manager.client.call(updateGuardRails, {
    body: { ...none, ...part, version },
  });
  return body.data;
}
beforeEach(async () => {
  await set({});
});

const send = (content: string, attachments: object[] = []) =>
  staff.client.raw(sendMessage.method, sendMessage.path, {
    body: { conversation_id, content, attachments },
  });

test('a message with a banned word is refused over HTTP and the socket with the words, and is not stored', async () => {
  await set({ banned_words: ['Hotel', 'cash app'] });
  const before = await buildReply(staff, conversation_id);
  const reply = await send('The HÔTEL takes Cash-App, the hotel');
  expect(reply.status).toBe(422);
  expect(JSON.parse(reply.text)).toMatchObject({
    code: 'banned_words',
    error: 'Remove these words: Hotel, cash app',
    words: ['Hotel', 'cash app'],
  });
  const socket = await app.connectSocket(staff.token);
  const tempId = unique('temp');
  socket.socket.emit('send_message', { conversation_id, content: 'my hotel', tempId });
  expect(await socket.nextEvent('message_error')).toMatchObject({
    code: 'banned_words',
    words: ['Hotel'],
    tempId,
  });
  const after = await buildReply(staff, conversation_id, { content: 'All hotels are full' });
  expect(after.seq).toBe(before.seq + 1);
});

test('fans may use banned words', async () => {
  await set({ banned_words: ['hotel'] });
  expect((await buildFanMessage(app, fan, { content: 'Which hotel?' })).content).toBe(
    'Which hotel?',
  );
});

test('the retry of a message sent before its words were banned is not refused', async () => {
  const input = {
    headers: { 'idempotency-key': unique('temp') },
    body: { conversation_id, content: 'See you at the hotel' },
  };
  const sent = await staff.client.call(sendMessage, input);
  await set({ banned_words: ['hotel'] });
  const again = await staff.client.call(sendMessage, input);
  expect(again.status).toBe(200);
  expect(again.body.data.id).toBe(sent.body.data.id);
});

test.each<[{ price_min?: number; price_max?: number }, number, string]>([
  [{ price_min: 5 }, 4.99, 'The price must be at least $5.00'],
  [{ price_max: 50 }, 50.01, 'The price must be at most $50.00'],
  [{ price_min: 5, price_max: 50 }, 60, 'The price must be between $5.00 and $50.00'],
])('with the limits %j an offer of $%d is refused', async (bounds, price, error) => {
  await set(bounds);
  const { id: product_id } = await buildProduct(manager);
  const offer = (asked: number) => send(' ', [{ product_id, price: asked, is_paid: true }]);
  const reply = await offer(price);
  expect(reply.status).toBe(422);
  expect(JSON.parse(reply.text)).toMatchObject({
    code: 'price_out_of_bounds',
    error,
    fields: { price: error },
  });
  for (const asked of [bounds.price_min ?? 1, bounds.price_max ?? 1_000])
    expect((await offer(asked)).status).toBe(201);
});

test('duplicates are removed ignoring case and accents, and an empty word or reversed limits are refused with their field', async () => {
  const saved = await set({ banned_words: ['Hotel', 'HÔTEL', ' motel '] });
  expect(saved.banned_words).toEqual(['Hotel', 'motel']);
  const { version } = saved;
  for (const [part, field] of [
    [{ banned_words: ['!?'] }, 'banned_words'],
    [{ price_min: 10, price_max: 9 }, 'price_max'],
    [{ price_min: 0 }, 'price_min'],
    [{ banned_words: Array.from({ length: 501 }, (_, n) => `w${n}`) }, 'banned_words'],
  ] as const) {
    const body = { banned_words: [], price_min: null, price_max: null, version, ...part };
    const refusal = await manager.client.refused(updateGuardRails, { body });
    expect(refusal.status).toBe(400);
    expect(Object.keys(refusal.fields)).toEqual([field]);
  }
});

test('saving over a teammate’s newer change is refused with the current settings', async () => {
  const { version } = await set({ banned_words: ['first'] });
  const body = { banned_words: [], price_min: null, price_max: null, version: version - 1 };
  const reply = await manager.client.raw('PUT', updateGuardRails.path, { body });
  expect(reply.status).toBe(409);
  expect(JSON.parse(reply.text)).toMatchObject({
    code: 'edit_conflict',
    current: { banned_words: ['first'], version },
  });
});

test('a change is emitted to all staff and written to the audit log with its differences', async () => {
  const socket = await app.connectSocket(staff.token);
  await set({ banned_words: ['hotel'], price_min: 5 });
  await socket.nextEvent('shared_updated', ({ what }) => what === 'guard_rails');
  const { body } = await manager.client.call(listAudit, {
    query: { action: 'guard_rails.update' },
  });
  expect(body.data[0]).toMatchObject({
    admin: { id: manager.admin.id },
    details: { added: ['hotel'], removed: [], price_min: 5 },
  });
});

test('a change on one node applies on another within moments, and after a restart', async () => {
  const { databaseUrl } = app;
  const node = await startTestApp({ databaseUrl });
  await set({ banned_words: ['hotel'] });
  const sender = node.staff(staff.token);
  const body = { conversation_id, content: 'hotel' };
  await until('the other node refuses it', async () => {
    const reply = await sender.raw(sendMessage.method, sendMessage.path, { body });
    return reply.status === 422;
  });
  const late = await startTestApp({ databaseUrl });
  const first = await late.staff(staff.token).raw(sendMessage.method, sendMessage.path, { body });
  expect(first.status).toBe(422);
  await node.close();
  await late.close();
});
