import type { ServerResponse } from 'node:http';
import { getWebhook, listDeliveries } from '@stagedoor/contract/platform/webhooks';
import { sql } from 'kysely';
import { afterAll, afterEach, expect, test } from 'vitest';
import { buildConversation, buildReply, buildStaff } from '../../../test/factories.ts';
import { seededRandom } from '../../../test/random.ts';
import {
  QUICK,
  type Received,
  startWebhookReceiver,
} from '../../../test/servers/webhook-receiver.ts';
import {
  sharedApp,
  startSecondProcess,
  startTestApp,
  type TestApp,
} from '../../../test/test-app.ts';
import { until } from '../../../test/until.ts';
import { fanGroup, runCampaign } from '../../../test/worlds/campaigns.ts';

const receiver = await startWebhookReceiver();
const webhook = { url: receiver.url, secret: receiver.secret, timing: QUICK };
/** A short timeout for tries that hang. A slow try may therefore be delivered twice. */
const hurried = { ...webhook, timing: { ...QUICK, timeout: 1 } };
afterAll(() => receiver.close());
const app = await sharedApp({ webhook: hurried });
const staff = await buildStaff(app, { role: 'manager' });
afterEach(() => {
  receiver.react = () => 204;
});

/** Returns how many times messages of a conversation arrived. */
const deliveriesIn = (conversationId: string) =>
  receiver.received.filter(
    ({ event }) =>
      event.type === 'message.created' && event.data.conversation_id === conversationId,
  ).length;

/** Sends this many messages to each conversation, in order within a conversation. */
async function writeTo(ids: readonly string[], each: number, by = staff): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      for (let n = 1; n <= each; n++) await buildReply(by, id, { content: `Message ${n}` });
    }),
  );
}

/** Builds empty conversations, so that the `seq` identifies a message. */
const buildConversations = (on: TestApp, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => (await buildConversation(on, { messages: [] })).id),
  );

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('every message reaches a receiver with all kinds of failures, in order within its conversation', async () => {
  const { seed, below } = seededRandom();
  const ids = await buildConversations(app, 12);
  receiver.react = (delivery) => {
    const die = below(100);
    if (die < 20) return 500;
    if (die < 25) return 302;
    if (die < 30) return (response) => void response.socket?.destroy();
    // The delivery was received, but the answer is lost.
    if (die < 35) {
      delivery.accepted = true;
      return (response) => void response.socket?.destroy();
    }
    // No answer at all.
    if (die < 36) return () => undefined;
    return 200;
  };
  await writeTo(ids, 10);
  for (const id of ids) {
    await until(`seed ${seed}`, () => receiver.seqsIn(id).length === 10);
    expect(receiver.seqsIn(id), `seed ${seed}`).toEqual(upTo(10));
  }
});

test('while the receiver is down staff are not blocked, and events follow in order', async () => {
  const ids = await buildConversations(app, 8);
  receiver.react = () => (response) => void response.socket?.destroy();
  await writeTo(ids, 4);
  const standing = (await staff.client.call(getWebhook)).body.data;
  expect(standing.waiting).toBeGreaterThanOrEqual(32);
  await until('a failed try is shown', async () => {
    return (await staff.client.call(getWebhook)).body.data.failing_since !== null;
  });
  receiver.react = () => 204;
  for (const id of ids) {
    await until('all of it', () => receiver.seqsIn(id).length === 4);
    expect(receiver.seqsIn(id)).toEqual(upTo(4));
  }
  await until('nothing waits', async () => {
    const { data } = (await staff.client.call(getWebhook)).body;
    return data.waiting === 0 && data.failing_since === null && data.last_delivered_at !== null;
  });
});

test('a receiver that hangs on one conversation, or on its answers, blocks no other', async () => {
  const [stuck = '', ...others] = await buildConversations(app, 4);
  receiver.react = ({ event }) => {
    if (!('conversation_id' in event.data)) return 204;
    if (event.data.conversation_id === stuck) return () => undefined;
    // A body that never ends.
    return (response) => void response.writeHead(200).write('on and on');
  };
  await writeTo([stuck, ...others], 3);
  const delivered = async () =>
    (
      await app.db.kysely
        .selectFrom('webhook_events')
        .select(['conversation_id', 'state'])
        .where('conversation_id', 'in', [stuck, ...others])
        .execute()
    ).filter(({ state }) => state === 'delivered');
  await until('the others', async () => (await delivered()).length === 9);
  expect((await delivered()).some(({ conversation_id }) => conversation_id === stuck)).toBe(false);
  receiver.react = () => 204;
  await until('the stuck one', () => receiver.seqsIn(stuck).length === 3);
  expect(receiver.seqsIn(stuck)).toEqual(upTo(3));
});

test('an event refused for too long is given up, and the next of its conversation follows', async () => {
  const [id = ''] = await buildConversations(app, 1);
  receiver.react = ({ event }) =>
    event.type === 'message.created' && event.data.message.seq === 1 ? 410 : 204;
  await writeTo([id], 2);
  await until('two tries', () => deliveriesIn(id) >= 2);
  await sql`update webhook_events set queued_at = queued_at - interval '1 hour'
    where conversation_id = ${id} and state = 'waiting'`.execute(app.db.kysely);
  await until('the second', () => receiver.seqsIn(id).length === 1);
  expect(receiver.seqsIn(id)).toEqual([2]);
  const [failed] = (await staff.client.call(listDeliveries, { query: { state: 'failed' } })).body
    .data;
  expect(failed).toMatchObject({
    type: 'message.created',
    state: 'failed',
    last_attempt: { status: 410, answer: 'received' },
  });
  expect(failed?.attempts).toBeGreaterThan(1);
});

test('pauses between tries double, up to the longest', async () => {
  const hour = 3_600;
  const slow = await startTestApp({
    webhook: { ...webhook, timing: { ...QUICK, firstPause: hour, longestPause: 4 * hour } },
  });
  const [id = ''] = await buildConversations(slow, 1);
  receiver.react = () => 500;
  await writeTo([id], 1, await buildStaff(slow));
  for (const [tried, pause] of [1, 2, 4, 4].entries()) {
    const hours = await until('a failed try', async () => {
      const { rows } = await sql<{ hours: number }>`
        select extract(epoch from start_after - clock_timestamp())::float8 / 3600 as hours from jobs.job
        where name = 'webhooks' and state = 'retry' and retry_count = ${tried}`.execute(
        slow.db.kysely,
      );
      return rows[0]?.hours;
    });
    expect(hours).toBeGreaterThan(pause * 0.98);
    expect(hours).toBeLessThanOrEqual(Math.min(pause * 2, 4));
    await sql`update jobs.job set start_after = now() where name = 'webhooks'`.execute(
      slow.db.kysely,
    );
  }
  await slow.close();
});

test('a reply is delivered before mass messages to other fans, even if its own conversation has one waiting', async () => {
  const own = await startTestApp({ webhook: { ...webhook, timing: { ...QUICK, timeout: 300 } } });
  const by = await buildStaff(own, { role: 'manager' });
  const group = fanGroup(own);
  for (let n = 0; n < 40; n++) await group.add();
  const [apart = ''] = await buildConversations(own, 1);
  const isMass = ({ event }: Received) =>
    event.type === 'message.created' && event.data.message.content === 'To all';
  const isReplyIn =
    (id: string) =>
    ({ event }: Received) =>
      event.type === 'message.created' &&
      event.data.conversation_id === id &&
      event.data.message.content === 'Message 1';
  const held: ServerResponse[] = [];
  receiver.react = (delivery) => {
    if (isMass(delivery)) delivery.accepted = true;
    return isMass(delivery) ? (response) => void held.push(response) : 204;
  };
  await runCampaign(by, {
    variants: [{ content: 'To all' }],
    audience: group.audience,
  });
  await until('all tries at a time wait for answers', () => held.length === 6);
  const queued = async () => {
    const { rows } = await sql<{ id: string }>`select conversation_id as id from webhook_events
      where state = 'waiting' and relayed and attempts = 0 order by id`.execute(own.db.kysely);
    return rows.map((row) => row.id);
  };
  await until('all are queued', async () => (await queued()).length === 40);
  const last = (await queued()).at(-1) ?? '';
  await writeTo([apart, last], 1, by);
  await until('the replies are queued', async () => (await queued()).length === 42);
  receiver.react = () => 204;
  for (const response of held) response.writeHead(204).end();
  await until('all of it', () => receiver.received.filter(isMass).length >= 40);
  const massBefore = (id: string) =>
    receiver.received.slice(0, receiver.received.findIndex(isReplyIn(id))).filter(isMass).length;
  expect(massBefore(apart)).toBeLessThan(20);
  expect(massBefore(last)).toBeLessThan(20);
  expect(receiver.seqsIn(last)).toEqual([1, 2]);
  await own.close();
});

test('events waiting or in progress when the server stops are delivered by the next one, in order', async () => {
  const first = await startTestApp({ webhook: hurried });
  const by = await buildStaff(first);
  const ids = await buildConversations(first, 6);
  let tries = 0;
  receiver.react = () => {
    tries++;
    // Some tries never get an answer, so that they are in progress at the stop.
    return tries % 2 === 0 ? 500 : () => undefined;
  };
  await writeTo(ids, 5, by);
  await until('some tries', () => tries > 6);
  await first.app.close();
  receiver.react = () => 204;
  const stop = await startSecondProcess(first, { webhook });
  for (const id of ids) {
    await until('all of it', () => receiver.seqsIn(id).length === 5);
    expect(receiver.seqsIn(id)).toEqual(upTo(5));
  }
  await stop();
  await first.close();
});

test('a job repeated because its process died after settling its event delivers nothing twice', async () => {
  const own = await startTestApp({ webhook });
  const by = await buildStaff(own);
  const [id = ''] = await buildConversations(own, 1);
  await writeTo([id], 3, by);
  await until('all three', () => receiver.seqsIn(id).length === 3);
  await until('their jobs run again', async () => {
    const { rows } = await sql`
      update jobs.job set state = 'retry', completed_on = null, start_after = now()
      where name = 'webhooks' and state = 'completed' and data->>'lane' = ${id} returning id`.execute(
      own.db.kysely,
    );
    return rows.length > 0;
  });
  await until('they are done', async () => {
    const { rows } = await sql`select from jobs.job where name = 'webhooks' and state <> 'completed'
      and data->>'lane' = ${id}`.execute(own.db.kysely);
    return rows.length === 0;
  });
  expect(deliveriesIn(id)).toBe(3);
  await writeTo([id], 1, by);
  await until('the queue still works', () => receiver.seqsIn(id).length === 4);
  await own.close();
});

test('two concurrent processes keep the order and without failures deliver nothing twice', async () => {
  const one = await startTestApp({ webhook });
  const stop = await startSecondProcess(one, { webhook });
  const by = await buildStaff(one);
  const ids = await buildConversations(one, 8);
  await writeTo(ids, 10, by);
  for (const id of ids) {
    await until('all of it', () => receiver.seqsIn(id).length === 10);
    expect(receiver.seqsIn(id)).toEqual(upTo(10));
    expect(deliveriesIn(id)).toBe(10);
  }
  await stop();
  await one.close();
});
