import { payWithTestCard, startCheckout } from '@stagedoor/contract/platform/fan-app';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import { buildFan, setWebhook, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildOffer } from '../../../test/worlds/catalogue.ts';
import { openMarket, saleOf } from '../../../test/worlds/market.ts';
import { offerOf, openFanClient } from '../../../test/worlds/paying-world.ts';

const app = await sharedApp({ payments: 'test_card' });
const { manager, seller, buildDeal, purchasesOf, versionOf } = await openMarket(app);
const witness = await app.connectSocket(manager.token);
await setWebhook(app);
const card_number = '4242 4242 4242 4242';

async function buildBuyer(price?: number) {
  const deal = await buildDeal(price);
  const client = await openFanClient(app, deal.conversation.fan);
  return { deal, client, payment: { ...offerOf(deal), client_id: unique('pay'), card_number } };
}

/** Returns the queued webhook events of a deal. */
const webhooksOf = (conversationId: string) =>
  app.db.kysely
    .selectFrom('webhook_events')
    .select(['type', 'ref'])
    .where('conversation_id', '=', conversationId)
    .where('type', 'in', ['purchase.recorded', 'purchase.refunded'])
    .orderBy('id')
    .execute();

test('the checkout tells the client to ask for a test card', async () => {
  const { deal, client } = await buildBuyer(3);
  const { body } = await client.call(startCheckout, { body: offerOf(deal) });
  expect(body.data).toEqual({ provider: 'test_card', url: null, amount: 3 });
});

test('the test card unlocks the product for fan and staff', async () => {
  const { deal, client, payment } = await buildBuyer(12.34);
  const { status, body } = await client.call(payWithTestCard, { body: payment });
  expect(status).toBe(201);
  const [attachment] = body.data.attachments;
  expect(attachment).toMatchObject({ id: deal.sale.attachment_id, locked: false, price: 12.34 });
  const file = await fetch(new URL(attachment?.url ?? '', app.url));
  expect(file.status).toBe(200);
  const event = await witness.nextEvent(
    'purchase_recorded',
    ({ message_id }) => message_id === payment.message_id,
  );
  expect(event).toMatchObject({ attachment_id: payment.attachment_id, amount: 12.34 });
  const [purchase] = await purchasesOf(deal.message);
  expect(purchase).toMatchObject({ amount_cents: 1234, product_id: deal.product.id });
  expect(purchase?.payment_reference).toMatch(/^test:[0-9a-f]{64}$/);
});

test('the platform is notified only of payments that it did not report', async () => {
  const { deal, client, payment } = await buildBuyer();
  await client.call(payWithTestCard, { body: payment });
  await client.call(payWithTestCard, { body: payment });
  const [purchase] = await purchasesOf(deal.message);
  expect(await webhooksOf(deal.conversation.id)).toEqual([
    { type: 'purchase.recorded', ref: { purchase_id: purchase?.id } },
  ]);
  const reported = await buildDeal();
  await app.platform.call(recordPurchase, { body: reported.sale });
  await app.platform.call(recordRefund, {
    body: { payment_reference: reported.sale.payment_reference },
  });
  expect(await webhooksOf(reported.conversation.id)).toEqual([]);
});

test('a retried payment is the same payment, even with concurrent retries', async () => {
  const { deal, client, payment } = await buildBuyer();
  const version = await versionOf(deal);
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => client.call(payWithTestCard, { body: payment })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { body } of replies) expect(body.data.attachments[0]?.locked).toBe(false);
  expect(await purchasesOf(deal.message)).toHaveLength(1);
  expect(await versionOf(deal)).toBe(version + 1);
});

test.each(['4242424242424242', '4242-4242-4242-4242', ' 4242 42424242 4242 '])(
  'the card may be written as %j',
  async (number) => {
    const { client, payment } = await buildBuyer();
    const body = { ...payment, card_number: number };
    expect((await client.call(payWithTestCard, { body })).status).toBe(201);
  },
);

test.each(['4000000000000002', '4242424242424241', '42424242424242424', '', 'x'])(
  'the card %j is declined, and another one may be tried',
  async (number) => {
    const { deal, client, payment } = await buildBuyer();
    const refusal = await client.refused(payWithTestCard, {
      body: { ...payment, card_number: number },
    });
    expect(refusal).toMatchObject({ status: 402, code: 'card_declined' });
    expect(await purchasesOf(deal.message)).toEqual([]);
    expect((await client.call(payWithTestCard, { body: payment })).status).toBe(201);
  },
);

test('a bought offer can’t be paid a second time by any means', async () => {
  const { client, payment } = await buildBuyer();
  await client.call(payWithTestCard, { body: payment });
  const { deal, client: second, payment: late } = await buildBuyer();
  await app.platform.call(recordPurchase, { body: deal.sale });
  for (const [who, body] of [
    [client, { ...payment, client_id: unique('pay') }],
    [second, late],
  ] as const) {
    const refusal = await who.refused(payWithTestCard, { body });
    expect(refusal).toMatchObject({ status: 409, code: 'already_purchased' });
  }
});

test('an id used for one offer is refused for another; another fan’s same id is separate', async () => {
  const { deal, client, payment } = await buildBuyer();
  const next = await buildOffer(seller, deal.conversation.id, [deal.product]);
  await client.call(payWithTestCard, { body: payment });
  const { message_id, attachment_id } = saleOf(deal.conversation.fan, next, 9.99);
  const refusal = await client.refused(payWithTestCard, {
    body: { ...payment, message_id, attachment_id },
  });
  expect(refusal).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  const other = await buildBuyer();
  const body = { ...other.payment, client_id: payment.client_id };
  expect((await other.client.call(payWithTestCard, { body })).status).toBe(201);
});

test('other fans’ offers are not found', async () => {
  const { payment } = await buildBuyer();
  const stranger = await openFanClient(app, await buildFan(app));
  const refusal = await stranger.refused(payWithTestCard, { body: payment });
  expect(refusal).toMatchObject({ status: 404, code: 'message_not_found' });
});

test('the platform can refund a test payment, which locks the product again', async () => {
  const { deal, client, payment } = await buildBuyer();
  await client.call(payWithTestCard, { body: payment });
  const [purchase] = await purchasesOf(deal.message);
  const payment_reference = purchase?.payment_reference ?? '';
  await app.platform.call(recordRefund, { body: { payment_reference } });
  const { status, body } = await client.call(payWithTestCard, { body: payment });
  expect([status, body.data.attachments[0]?.locked]).toEqual([200, true]);
  const second = { ...payment, client_id: unique('pay') };
  expect((await client.call(payWithTestCard, { body: second })).status).toBe(201);
});

test('trying many cards is rate limited', async () => {
  const { client, payment } = await buildBuyer();
  const body = { ...payment, card_number: '4000000000000002' };
  const statuses = new Set<number>();
  for (let tries = 0; tries < 40; tries++) {
    statuses.add((await client.refused(payWithTestCard, { body })).status);
  }
  expect(statuses).toEqual(new Set([402, 429]));
});
