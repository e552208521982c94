import { getFanFacts } from '@stagedoor/contract/fans/fan-facts';
import { unsendMessage } from '@stagedoor/contract/messaging/messages';
import {
  getFanHome,
  startTipCheckout,
  tipWithTestCard,
} from '@stagedoor/contract/platform/fan-app';
import {
  eraseFan,
  type PlatformFan,
  recordPurchase,
  recordRefund,
  recordTip,
} from '@stagedoor/contract/platform/platform';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { previewSegment } from '@stagedoor/contract/selling/segments';
import { listTips } from '@stagedoor/contract/selling/tips';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { buildFan, buildReply, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { fanGroup, runCampaign } from '../../../test/worlds/campaigns.ts';
import { signInFan } from '../../../test/worlds/fan-world.ts';
import { openMarket } from '../../../test/worlds/market.ts';

const app = await sharedApp({ payments: 'test_card' });
const { manager, seller, buildDeal } = await openMarket(app);
const witness = await app.connectSocket(manager.token);
const PATH = '/api/platform/tips';

const tipOf = (fan: { external_id: string }, amount = 5, message?: string) => ({
  fan: fan.external_id,
  amount,
  payment_reference: unique('tip'),
  ...(message !== undefined && { message }),
});
const report = (body: ReturnType<typeof tipOf> & { tipped_at?: string }) =>
  app.platform.call(recordTip, { body });
const listed = async ({ conversation_id: id }: PlatformFan) =>
  (await manager.client.call(listTips, { params: { id } })).body.data;
const factsOf = async ({ conversation_id: id }: PlatformFan) =>
  (await manager.client.call(getFanFacts, { params: { id } })).body.data;
/** Returns how many fans in the group have spent exactly this much. */
const spendersOf = async (group: ReturnType<typeof fanGroup>, value: number) => {
  const rule = { all: [group.audience.rule, { field: 'spent', op: 'eq', value }] } as never;
  const { body } = await manager.client.call(previewSegment, { body: { rule, limit: 1 } });
  return body.data.total;
};
const stored = (reference: string) =>
  app.db.kysely
    .selectFrom('tips')
    .selectAll()
    .where('payment_reference', '=', reference)
    .executeTakeFirstOrThrow();
const creditOf = async (body: ReturnType<typeof tipOf> & { tipped_at?: string }) => {
  await report(body);
  return (await stored(body.payment_reference)).admin_id;
};

test('concurrent and repeated reports of a tip record it once; another tip with its reference is a conflict', async () => {
  const fan = await buildFan(app);
  const tip = tipOf(fan, 0.1 + 0.2, ' Thank you! ');
  const replies = await Promise.all(
    Array.from({ length: 16 }, () => app.platform.raw('POST', PATH, { body: tip })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(15);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  const again = await report({ ...tip, tipped_at: '2026-01-01T00:00:00Z' });
  expect([again.status, again.body.data]).toEqual([200, JSON.parse(replies[0]?.text ?? '').data]);
  expect(again.body.data).toMatchObject({ amount: 0.3, message: 'Thank you!', refunded_at: null });
  for (const other of [{ amount: 1 }, { message: 'Hi' }, { fan: 'nobody' }]) {
    const refusal = await app.platform.refused(recordTip, { body: { ...tip, ...other } });
    expect(refusal).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  }
  expect(await stored(tip.payment_reference)).toMatchObject({ amount_cents: 30 });
  const events = witness
    .received('tip_recorded')
    .filter(({ conversation_id }) => conversation_id === fan.conversation_id);
  expect(events).toMatchObject([{ amount: 0.3, message: 'Thank you!' }]);
});

test('a payment is a tip or a purchase, never both', async () => {
  const deal = await buildDeal();
  await app.platform.call(recordPurchase, { body: deal.sale });
  const { payment_reference } = deal.sale;
  const asTip = { ...tipOf(deal.conversation.fan), payment_reference };
  const conflict = { status: 409, code: 'idempotency_conflict' };
  expect(await app.platform.refused(recordTip, { body: asTip })).toMatchObject(conflict);
  const other = await buildDeal();
  const tip = tipOf(other.conversation.fan);
  await report(tip);
  const asSale = { ...other.sale, payment_reference: tip.payment_reference };
  expect(await app.platform.refused(recordPurchase, { body: asSale })).toMatchObject(conflict);
  const third = await buildDeal();
  const both = unique('both');
  const race = await Promise.all([
    app.platform.raw('POST', PATH, {
      body: { ...tipOf(third.conversation.fan), payment_reference: both },
    }),
    app.platform.raw('POST', '/api/platform/purchases', {
      body: { ...third.sale, payment_reference: both },
    }),
  ]);
  expect(new Set(race.map(({ status }) => status))).toEqual(new Set([201, 409]));
});

test.each([
  { amount: 0 },
  { amount: 1.005 },
  { amount: 1_000_000.01 },
  { amount: '5' },
  { message: 'x'.repeat(501) },
  { payment_reference: '' },
  { note: 'unknown' },
])('the report %o is refused', async (change) => {
  const body = { ...tipOf({ external_id: 'fan-1' }), ...change };
  const refused = await app.platform.raw('POST', PATH, { body });
  expect([refused.status, JSON.parse(refused.text).code]).toEqual([400, 'invalid_request']);
});

test('a tip of an unknown fan is refused', async () => {
  const refusal = await app.platform.refused(recordTip, { body: tipOf({ external_id: 'no-one' }) });
  expect(refusal).toMatchObject({ status: 404, code: 'fan_not_found' });
});

test('both sides see a tip, it counts as spent but not as a purchase, and a refund undoes it all', async () => {
  const group = fanGroup(app);
  const fan = await group.add();
  const { client, connect } = await signInFan(app, fan);
  const socket = await connect();
  const tip = tipOf(fan, 12.5, 'For the new song');
  await report(tip);
  await report(tipOf(fan, 2));
  const [shown] = await listed(fan);
  expect(shown).toMatchObject({ amount: 12.5, message: 'For the new song' });
  const { body: home } = await client.call(getFanHome);
  expect(home.data.tips).toEqual(await listed(fan));
  expect(await factsOf(fan)).toMatchObject({
    spent: 14.5,
    tipped: 14.5,
    purchases: 0,
    average_paid: null,
    last_purchase: null,
  });
  expect(await spendersOf(group, 14.5)).toBe(1);
  await socket.nextEvent('tips_changed');

  const { payment_reference } = tip;
  const refund = { payment_reference, refunded_at: '2026-11-23T10:00:00Z' };
  for (const body of [refund, { payment_reference }]) {
    const reply = await app.platform.call(recordRefund, { body });
    expect(reply.body.data).toMatchObject({
      payment_reference,
      amount: 12.5,
      refunded_at: '2026-11-23T10:00:00.000Z',
    });
  }
  expect(await listed(fan)).toMatchObject([{ amount: 2 }]);
  expect(await factsOf(fan)).toMatchObject({ spent: 2, tipped: 2 });
  expect(await spendersOf(group, 2)).toBe(1);
  const refunded = witness
    .received('tip_refunded')
    .filter(({ conversation_id }) => conversation_id === fan.conversation_id);
  expect(refunded).toMatchObject([{ id: shown?.id, amount: 12.5 }]);
});

test('the credit goes to whoever wrote last within 24 hours before; mass messages don’t count', async () => {
  const group = fanGroup(app);
  const fan = await group.add();
  expect(await creditOf(tipOf(fan))).toBeNull();
  await buildReply(manager, fan.conversation_id);
  const reply = await buildReply(seller, fan.conversation_id);
  await runCampaign(manager, { audience: group.audience });
  expect(await creditOf(tipOf(fan))).toBe(seller.admin.id);
  const day = 86_400_000;
  // A tip can't be in the future, so the messages become older.
  await sql`update messages set created_at = created_at - interval '2 days'
    where conversation_id = ${fan.conversation_id}`.execute(app.db.kysely);
  const at = (ms: number) => new Date(Date.parse(reply.created_at) - 2 * day + ms).toISOString();
  expect(await creditOf({ ...tipOf(fan), tipped_at: at(day) })).toBe(seller.admin.id);
  expect(await creditOf({ ...tipOf(fan), tipped_at: at(day + 1) })).toBeNull();
  expect(await creditOf({ ...tipOf(fan), tipped_at: at(-60_000) })).toBeNull();
});

test('a sale, tip or refund reported without a time happens now by the database’s clock', async () => {
  const { sale } = await buildDeal();
  const tip = tipOf(await buildFan(app));
  const start = new Date().toISOString();
  const refunded = async ({ payment_reference }: typeof tip) =>
    (await app.platform.call(recordRefund, { body: { payment_reference } })).body.data.refunded_at;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  try {
    const sold = (await app.platform.call(recordPurchase, { body: sale })).body.data;
    const tipped = (await report(tip)).body.data;
    const times = [sold.purchased_at, tipped.tipped_at, await refunded(sale), await refunded(tip)];
    for (const time of times) expect((time ?? '') >= start, `${time}`).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('an unsent message gets no credit', async () => {
  const fan = await buildFan(app);
  await buildReply(manager, fan.conversation_id);
  const { id } = await buildReply(seller, fan.conversation_id);
  expect(await creditOf(tipOf(fan))).toBe(seller.admin.id);
  await seller.client.call(unsendMessage, { params: { id } });
  expect(await creditOf(tipOf(fan))).toBe(manager.admin.id);
});

test('erasing a fan deletes the words of their tips, and keeps the amounts', async () => {
  const fan = await buildFan(app);
  const tip = tipOf(fan, 7.77, 'Just between us');
  await report(tip);
  const before = (await manager.client.call(analyticsOverview)).body.sources;
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  expect(await stored(tip.payment_reference)).toMatchObject({ message: null, amount_cents: 777 });
  expect((await manager.client.call(analyticsOverview)).body.sources).toEqual(before);
  const { text } = await app.platform.raw('POST', '/api/platform/refunds', {
    body: { payment_reference: tip.payment_reference },
  });
  expect(JSON.parse(text).data).toMatchObject({ fan: 'erased', message: null });
});

test('a fan tips with a test card: once for each client id, and never with a declined card', async () => {
  const { fan, client } = await signInFan(app);
  const tip = { amount: 20, message: 'Encore!', client_id: unique('client') };
  const { body } = await client.call(startTipCheckout, { body: tip });
  expect(body.data).toEqual({ provider: 'test_card', url: null, amount: 20 });
  const declined = { ...tip, card_number: '4000 0000 0000 0002' };
  const refusal = await client.refused(tipWithTestCard, { body: declined });
  expect(refusal).toMatchObject({ status: 402, code: 'card_declined' });
  expect(await listed(fan)).toEqual([]);
  const paid = { ...tip, card_number: '4242 4242 4242 4242' };
  const first = await client.call(tipWithTestCard, { body: paid });
  const again = await client.call(tipWithTestCard, { body: paid });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
  const other = { ...paid, amount: 21 };
  expect(await client.refused(tipWithTestCard, { body: other })).toMatchObject({ status: 409 });
  expect(await listed(fan)).toEqual([first.body.data]);
});
