import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPlatformClient, PlatformError } from '@stagedoor/platform-client';
import { expect, test } from 'vitest';
import { buildReply, buildStaff, unique } from './factories.ts';
import { PLATFORM_KEY, sharedApp } from './test-app.ts';
import { openMarket } from './worlds/market.ts';

const app = await sharedApp();
const client = createPlatformClient({ url: app.url, key: PLATFORM_KEY });
const staff = await buildStaff(app);

/** Creates a fan. @returns the platform's own id, and the fan in the server's reply */
async function join() {
  const id = unique('fan');
  return { id, fan: await client.putFan(id, { first_name: 'Ana' }) };
}

test('Node loads the built client and its webhooks without other packages', async () => {
  const folder = fileURLToPath(new URL('../../../packages/platform-client/dist', import.meta.url));
  const empty = await mkdtemp(path.join(tmpdir(), 'stagedoor-client-'));
  await cp(folder, empty, { recursive: true });
  await writeFile(path.join(empty, 'package.json'), '{ "type": "module" }');
  const program = `const all = { ...(await import('./client.js')), ...(await import('./webhooks.js')) };
    console.log(Object.keys(all).join());`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: empty });
  await rm(empty, { recursive: true });
  expect(stdout.trim().split(',')).toEqual(
    expect.arrayContaining(['createPlatformClient', 'PlatformError', 'verifyWebhook']),
  );
});

test('the client creates and updates fans', async () => {
  const { id, fan } = await join();
  expect(fan).toMatchObject({ external_id: id, first_name: 'Ana', username: null });
  expect(await client.putFan(id, { username: 'ana' })).toEqual({ ...fan, username: 'ana' });
});

test('the client sends messages, and a retry with the same client_id returns the same message', async () => {
  const { id } = await join();
  const message = await client.sendMessage(id, { content: 'Hello', client_id: 'one' });
  expect(await client.sendMessage(id, { content: 'Hello', client_id: 'one' })).toEqual(message);
  const other = await client.sendMessage(id, { content: 'Hello', reply_to_message_id: message.id });
  expect(other).toMatchObject({ seq: 2, reply_to: { id: message.id } });
  await expect(
    client.sendMessage(id, { content: 'Other', client_id: 'one' }),
  ).rejects.toMatchObject({ code: 'idempotency_conflict', status: 409 });
});

test('the client uploads files, and a message can use them', async () => {
  const { id } = await join();
  const files = await client.uploadFiles(id, [
    { name: 'notes.txt', content: new TextEncoder().encode('la la la') },
    { name: 'more.txt', content: new Blob(['and more']) },
  ]);
  expect(files).toMatchObject([
    { filename: 'notes.txt', size: 8 },
    { filename: 'more.txt', size: 8 },
  ]);
  const message = await client.sendMessage(id, {
    content: 'For you',
    attachment_ids: files.map((file) => file.id),
  });
  expect(message.attachments.map(({ filename }) => filename)).toEqual(['notes.txt', 'more.txt']);
});

test('the client reads a page or the whole conversation, newest first', async () => {
  const { id } = await join();
  for (let number = 1; number <= 105; number++) {
    await client.sendMessage(id, { content: `Line ${number}` });
  }
  const page = await client.listMessages(id, { limit: 3 });
  expect(page.map(({ seq }) => seq)).toEqual([105, 104, 103]);
  const before = page.at(-1)?.id ?? '';
  expect((await client.listMessages(id, { before, limit: 1 }))[0]?.seq).toBe(102);
  const all: number[] = [];
  for await (const { seq } of client.eachMessage(id)) all.push(seq);
  expect(all).toEqual(Array.from({ length: 105 }, (_, index) => 105 - index));
});

test('the client marks as read and reacts', async () => {
  const { id, fan } = await join();
  const reply = await buildReply(staff, fan.conversation_id);
  expect(await client.markRead(id, reply.id)).toMatchObject({ count: 1 });
  expect(await client.react(id, reply.id, '🔥')).toMatchObject({ action: 'added' });
  expect(await client.react(id, reply.id, '🔥')).toMatchObject({ action: 'removed' });
});

test('the client records purchases, tips and refunds', async () => {
  const market = await openMarket(app);
  const deal = await market.buildDeal(9.99);
  const purchase = await client.recordPurchase(deal.sale);
  expect(purchase).toMatchObject({ amount: 9.99, refunded_at: null });
  expect((await market.seen(deal)).ofFan.locked).toBe(false);
  const { payment_reference } = deal.sale;
  const refund = await client.recordRefund({ payment_reference });
  expect(refund).toMatchObject({ id: purchase.id, refunded_at: expect.any(String) });
  expect((await market.seen(deal)).ofFan.locked).toBe(true);
  const fan = deal.conversation.fan.external_id;
  const tip = await client.recordTip({ fan, amount: 5, payment_reference: unique('tip') });
  expect(tip).toMatchObject({ fan, amount: 5, message: null, refunded_at: null });
  const returned = await client.recordRefund({ payment_reference: tip.payment_reference });
  expect(returned).toMatchObject({ id: tip.id, refunded_at: expect.any(String) });
});

test('the client opens fan sessions and ends them', async () => {
  const { id } = await join();
  const session = await client.createSession(id, { embed_origin: 'https://fans.example' });
  expect(session.url).toContain(session.link);
  expect((await client.createSession(id)).link).not.toBe(session.link);
  await client.endSessions(id);
  const open = await app.anonymous.raw('POST', '/api/fan/sessions', {
    body: { link: session.link },
  });
  expect(open.status).toBe(401);
});

test('the client sets a fan’s subscription', async () => {
  const { id } = await join();
  const subscription = { status: 'trial', ends_at: '2035-01-01T00:00:00.000Z' } as const;
  expect(await client.putSubscription(id, subscription)).toEqual({ subscription });
  const none = await client.putSubscription(id, { status: null });
  expect(none).toEqual({ subscription: null });
});

test('the client erases a fan permanently', async () => {
  const { id } = await join();
  await client.eraseFan(id);
  await expect(client.eraseFan(id)).rejects.toMatchObject({ code: 'fan_not_found' });
});

test('the client returns the creator', async () => {
  expect(await client.getCreator()).toMatchObject({ display_name: 'Aurora' });
});

test('an unknown invitation, a wrong key and a wrong field each have their own error', async () => {
  const { id } = await join();
  await expect(client.acceptInvite('nonsense', id)).rejects.toMatchObject({
    code: 'invite_not_found',
  });
  const stranger = createPlatformClient({ url: app.url, key: 'wrong' });
  await expect(stranger.getCreator()).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  const refused = await client.putFan(id, { timezone: 'Nowhere' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PlatformError);
  expect(refused).toMatchObject({
    code: 'invalid_request',
    fields: { timezone: 'Must be an IANA time zone' },
  });
});
