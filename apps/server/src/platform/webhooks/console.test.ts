import { eraseFan } from '@stagedoor/contract/platform/platform';
import {
  getDelivery,
  getWebhook,
  listDeliveries,
  redeliver,
  testWebhook,
} from '@stagedoor/contract/platform/webhooks';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { afterAll, afterEach, expect, test } from 'vitest';
import { buildConversation, buildReply, buildStaff } from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import {
  QUICK,
  type Received,
  startWebhookReceiver,
} from '../../../test/servers/webhook-receiver.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { pruneDeliveries } from './webhooks.store.ts';

const receiver = await startWebhookReceiver();
const { url, secret } = receiver;
afterAll(() => receiver.close());
const app = await sharedApp({ webhook: { url, secret, timing: QUICK } });
const manager = await buildStaff(app, { role: 'manager' });
const { client } = manager;
afterEach(() => {
  receiver.react = () => 204;
});

const get = async (id: string) => (await client.call(getDelivery, { params: { id } })).body.data;
const settled = (id: string) =>
  until(`${id} is delivered`, async () => {
    const delivery = await get(id);
    return delivery.state === 'delivered' && delivery;
  });
const tries = (id: string) => receiver.received.filter((delivery) => delivery.id === id);

/** Sends a staff message. @returns the `webhook-id` of its event */
async function sendReply() {
  const conversation = await buildConversation(app, { messages: [] });
  const message = await buildReply(manager, conversation.id, { content: 'Hello' });
  const { data } = (await client.call(listDeliveries, { query: { limit: 5 } })).body;
  const id = data.find(({ conversation_id }) => conversation_id === conversation.id)?.id ?? '';
  return { ...conversation, message, webhookId: id };
}

test('a test event is sent, listed and in the audit log', async () => {
  const { body, status } = await client.call(testWebhook);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ type: 'webhook.test', conversation_id: null });
  const { id } = body.data;
  expect(await settled(id)).toMatchObject({
    attempts: 1,
    last_attempt: { status: 204, answer: '' },
  });
  expect(tries(id).map(({ event }) => event.data)).toEqual([{ sent_by: manager.admin.codename }]);
  const { data } = (await client.call(listAudit, { query: { action: 'webhook.test' } })).body;
  expect(data[0]).toMatchObject({ admin: { id: manager.admin.id } });
});

test('a delivery shows its tries, newest first, and the body that a try would send now', async () => {
  let count = 0;
  receiver.react = () => {
    count++;
    if (count === 1) return 500;
    if (count === 2) return (response) => void response.socket?.destroy();
    return (response) => void response.writeHead(201).end(`thanks\0 ${'x'.repeat(5_000)}`);
  };
  const { webhookId, message, id } = await sendReply();
  const delivery = await settled(webhookId);
  expect(delivery).toMatchObject({ attempts: 3, conversation_id: id, type: 'message.created' });
  expect(delivery.tries.map(({ status }) => status)).toEqual([201, null, 500]);
  const [last, broken, first] = delivery.tries;
  expect(last?.answer).toBe(`thanks  ${'x'.repeat(492)}`);
  expect(broken?.answer).toMatch(/socket|closed|reset/);
  expect(first?.answer).toBe('received');
  expect(delivery.last_attempt).toEqual(last);
  const { type, data } = JSON.parse(delivery.body ?? '') as { type: string; data: unknown };
  expect({ type, data }).toMatchObject({
    type: 'message.created',
    data: { message: { id: message.id } },
  });
});

test('an event can be redelivered under its id, after the waiting ones of its conversation', async () => {
  const { webhookId, id, message } = await sendReply();
  await settled(webhookId);
  receiver.react = () => 500;
  const later = await buildReply(manager, id, { content: 'Later' });
  const again = await client.call(redeliver, { params: { id: webhookId } });
  expect(again.body.data).toMatchObject({ id: webhookId, state: 'waiting', attempts: 1 });
  expect(await client.refused(redeliver, { params: { id: webhookId } })).toMatchObject({
    status: 409,
    code: 'delivery_waiting',
  });
  receiver.react = () => 204;
  await settled(webhookId);
  const order = receiver.acceptedOf(id).map(({ event }) => event);
  expect(order).toMatchObject([
    { data: { message: { id: message.id } } },
    { data: { message: { id: later.id } } },
  ]);
  expect(tries(webhookId).filter(({ accepted }) => accepted)).toHaveLength(2);
  // The redelivery came after the later event.
  const { data } = receiver.received.at(-1)?.event ?? {};
  expect(data).toMatchObject({ message: { id: message.id } });
  const log = (await client.call(listAudit, { query: { action: 'webhook.redeliver' } })).body.data;
  expect(log[0]?.details).toEqual({ type: 'message.created' });
});

test('a message sent while an earlier one is being redelivered reaches the receiver, after it', async () => {
  const { webhookId, id } = await sendReply();
  await settled(webhookId);
  receiver.react = () => 500;
  const isLater = ({ event }: Received) =>
    event.type === 'message.created' &&
    event.data.conversation_id === id &&
    event.data.message.content === 'Later';
  // The redelivery waits for this lock after it has queued its event.
  const calls = await whileLocked(app.databaseUrl, 'lock audit_log in share mode', async () => {
    const again = client.call(redeliver, { params: { id: webhookId } });
    await untilWaiting(app, 1);
    const reply = buildReply(manager, id, { content: 'Later' });
    await Promise.race([untilWaiting(app, 2), receiver.next('the message is tried', isLater)]);
    return [again, reply];
  });
  await Promise.all(calls);
  receiver.react = () => 204;
  const later = await receiver.next('the message', (each) => isLater(each) && each.accepted);
  const again = tries(webhookId).findLast(({ accepted }) => accepted);
  expect(tries(webhookId).filter(({ accepted }) => accepted)).toHaveLength(2);
  expect(receiver.received.indexOf(again as Received)).toBeLessThan(
    receiver.received.indexOf(later),
  );
});

test('the list is paged, newest first, and filtered by state', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.unshift((await sendReply()).webhookId);
  for (const id of ids) await settled(id);
  const one = (await client.call(listDeliveries, { query: { limit: 2, state: 'delivered' } })).body;
  expect(one.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const cursor = one.next_cursor ?? '';
  const two = (await client.call(listDeliveries, { query: { cursor, state: 'delivered' } })).body;
  expect(two.data[0]?.id).toBe(ids[2]);
  expect((await client.call(listDeliveries, { query: { state: 'failed' } })).body).toEqual({
    data: [],
    next_cursor: null,
  });
  expect(await client.refused(listDeliveries, { query: { cursor: 'x' } })).toMatchObject({
    code: 'invalid_request',
  });
});

test('events about an erased fan can’t be redelivered or shown', async () => {
  const { webhookId, fan } = await sendReply();
  await settled(webhookId);
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  expect(await get(webhookId)).toMatchObject({ conversation_id: null, body: null, tries: [] });
  expect(await client.refused(redeliver, { params: { id: webhookId } })).toMatchObject({
    status: 404,
    code: 'delivery_not_found',
  });
});

test.each(['nonsense', `evt_${'0'.repeat(32)}`, crypto.randomUUID()])(
  '%s is not found as a delivery',
  async (id) => {
    for (const endpoint of [getDelivery, redeliver]) {
      expect(await client.refused(endpoint, { params: { id } })).toMatchObject({
        status: 404,
        code: 'delivery_not_found',
      });
    }
  },
);

test('the address is shown and stored without its user and password', async () => {
  const gone = await startWebhookReceiver();
  await gone.close();
  const address = gone.url.replace('http://', 'http://stage:door@');
  const own = await startTestApp({ webhook: { url: address, secret, timing: QUICK } });
  const by = await buildStaff(own, { role: 'creator' });
  const { data } = (await by.client.call(getWebhook)).body;
  expect(data).toMatchObject({ url: gone.url, waiting: 0, failed: 0 });
  const { body } = await by.client.call(testWebhook);
  const params = { id: body.data.id };
  const failed = await until('a failed try', async () => {
    const delivery = (await by.client.call(getDelivery, { params })).body.data;
    return delivery.last_attempt;
  });
  expect(failed).toMatchObject({ status: null, answer: expect.stringContaining('ECONNREFUSED') });
  expect(JSON.stringify(failed)).not.toContain('stage');
  const stored = await sql<{ url: string }>`select url from webhook_endpoint`.execute(
    own.db.kysely,
  );
  expect(stored.rows).toEqual([{ url: gone.url }]);
  const metrics = await own.anonymous.raw('GET', '/metrics');
  expect(metrics.text).toContain('stagedoor_webhook_events{state="waiting"} 1');
  await own.close();
});

test('without an address nothing can be tested or redelivered', async () => {
  const off = await startTestApp();
  const by = await buildStaff(off, { role: 'creator' });
  expect((await by.client.call(getWebhook)).body.data).toEqual({
    url: null,
    waiting: 0,
    failed: 0,
    last_delivered_at: null,
    failing_since: null,
  });
  expect(await by.client.refused(testWebhook)).toMatchObject({
    status: 409,
    code: 'webhook_not_set',
  });
  await off.close();
});

test('events that wait without an address are given up after three days', async () => {
  const off = await startTestApp();
  const { client: by } = await buildStaff(off, { role: 'manager' });
  await sql`insert into webhook_events (type, lane, queued_at)
    select 'webhook.test', 'x', now() - make_interval(days => age) from unnest(array[2, 4]) age`.execute(
    off.db.kysely,
  );
  await pruneDeliveries(off.db, 7);
  expect((await by.call(getWebhook)).body.data).toMatchObject({ waiting: 1, failed: 1 });
  await off.close();
});

test('many events without an address are given up in small transactions', async () => {
  const off = await startTestApp();
  const { client: by } = await buildStaff(off, { role: 'manager' });
  await sql
    .raw(`create table batches (events integer);
    create function note_batch() returns trigger language plpgsql as $$ begin
      insert into batches select count(*) from changed;
      return null;
    end $$;
    create trigger noted after update on webhook_events referencing new table as changed
      for each statement execute function note_batch();
    insert into webhook_events (type, lane, queued_at)
      select 'webhook.test', 'lane ' || n, now() - interval '4 days' from generate_series(1, 2500) n`)
    .execute(off.db.kysely);
  await pruneDeliveries(off.db, 7);
  expect((await by.call(getWebhook)).body.data).toMatchObject({ waiting: 0, failed: 2500 });
  const { rows } = await sql`select max(events) as most from batches`.execute(off.db.kysely);
  expect(rows).toEqual([{ most: 1000 }]);
  await off.close();
});

test('repeated tests and redeliveries are rate limited', async () => {
  const own = await startTestApp({ webhook: { url, secret, timing: QUICK } });
  const by = await buildStaff(own, { role: 'manager' });
  await Promise.all(Array.from({ length: 60 }, () => by.client.call(testWebhook)));
  const refusal = await by.client.refused(testWebhook);
  expect(refusal).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  await own.close();
});

test('settled deliveries are purged after a week', async () => {
  const old = await sendReply();
  const fresh = await sendReply();
  for (const { webhookId } of [old, fresh]) await settled(webhookId);
  const age = (id: string, days: number) =>
    sql`update webhook_events set settled_at = now() - make_interval(days => ${days}) where conversation_id = ${id}`.execute(
      app.db.kysely,
    );
  await age(old.id, 8);
  await age(fresh.id, 6);
  await pruneDeliveries(app.db, 7);
  await client.refused(getDelivery, { params: { id: old.webhookId } });
  expect((await get(fresh.webhookId)).state).toBe('delivered');
});

test('the purge skips a delivery that another transaction has locked', async () => {
  const { id, webhookId } = await sendReply();
  await settled(webhookId);
  await sql`update webhook_events set settled_at = now() - interval '8 days' where conversation_id = ${id}`.execute(
    app.db.kysely,
  );
  const lock = `select from webhook_events where conversation_id = '${id}' for update`;
  await whileLocked(app.databaseUrl, lock, () => pruneDeliveries(app.db, 7));
  expect((await get(webhookId)).state).toBe('delivered');
  await pruneDeliveries(app.db, 7);
  await client.refused(getDelivery, { params: { id: webhookId } });
});
