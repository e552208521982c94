import {
  listFanMessages,
  recordPurchase,
  recordRefund,
} from '@stagedoor/contract/platform/platform';
import { deleteProduct, updateProduct } from '@stagedoor/contract/selling/products';
import { expect, test } from 'vitest';
import { buildConversation, buildReply, buildStaff, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { openMarket, saleOf } from '../../../test/worlds/market.ts';

const app = await sharedApp();
const { manager, seller, buildDeal, seen, versionOf, purchasesOf } = await openMarket(app);
const witness = await app.connectSocket(manager.token);
const PATH = '/api/platform/purchases';

test('an identical report of a payment returns the same purchase and is emitted once', async () => {
  const deal = await buildDeal();
  const { message, sale } = deal;
  const first = await app.platform.call(recordPurchase, { body: sale });
  const version = await versionOf(deal);
  for (const again of [
    sale,
    { ...sale, purchased_at: '2026-01-01T00:00:00Z' },
    { ...sale, message_id: sale.message_id.toUpperCase() },
  ]) {
    const reply = await app.platform.call(recordPurchase, { body: again });
    expect([reply.status, reply.body]).toEqual([200, first.body]);
  }
  expect(first.status).toBe(201);
  expect(await versionOf(deal)).toBe(version);
  expect(await purchasesOf(message)).toHaveLength(1);
  const received = witness.received('purchase_recorded').filter((e) => e.message_id === message.id);
  expect(received).toHaveLength(1);
});

test('sixteen identical concurrent purchases are recorded once, and all return that purchase', async () => {
  const deal = await buildDeal();
  const { message, sale } = deal;
  const version = await versionOf(deal);
  const replies = await Promise.all(
    Array.from({ length: 16 }, () => app.platform.raw('POST', PATH, { body: sale })),
  );
  const created = replies.filter(({ status }) => status === 201);
  expect(created).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(15);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(await purchasesOf(message)).toHaveLength(1);
  expect(await versionOf(deal)).toBe(version + 1);
});

test('only one of sixteen concurrent payments for an offer is recorded; the others are refused', async () => {
  const { message, sale } = await buildDeal();
  const replies = await Promise.all(
    Array.from({ length: 16 }, () =>
      app.platform.raw('POST', PATH, { body: { ...sale, payment_reference: unique('payment') } }),
    ),
  );
  const refused = replies.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(15);
  for (const { status, text } of refused) {
    expect([status, JSON.parse(text)]).toEqual([
      409,
      { error: 'This fan has already bought this', code: 'already_purchased' },
    ]);
  }
  expect(await purchasesOf(message)).toHaveLength(1);
});

test('a payment recorded for another offer is a conflict', async () => {
  const { sale } = await buildDeal();
  const other = await buildDeal();
  await app.platform.call(recordPurchase, { body: sale });
  const { payment_reference } = sale;
  for (const body of [
    { ...other.sale, payment_reference },
    { ...sale, amount: 1 },
    { ...sale, fan: 'nobody' },
    { ...sale, attachment_id: crypto.randomUUID() },
  ]) {
    const refusal = await app.platform.refused(recordPurchase, { body });
    expect(refusal).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  }
  expect(await purchasesOf(other.message)).toEqual([]);
});

test.each([
  [0.3, 0.1 + 0.2, 30],
  [9.99, 9.99, 999],
  [1234.5, 1234.5, 123_450],
  [0.29, 0.29, 29],
  [1.1, 1.1, 110],
  [1_000_000, 1_000_000, 100_000_000],
])('a price of %d is paid by %d: exactly %d cents', async (price, amount, cents) => {
  const deal = await buildDeal(price);
  const { body } = await app.platform.call(recordPurchase, { body: { ...deal.sale, amount } });
  expect(body.data.amount).toBe(price);
  expect(await purchasesOf(deal.message)).toMatchObject([{ amount_cents: cents }]);
});

test.each([9.98, 10, 0.01, 999])(
  'an amount of %d for a price of 9.99 is refused, and nothing is unlocked',
  async (amount) => {
    const deal = await buildDeal(9.99);
    const refusal = await app.platform.refused(recordPurchase, { body: { ...deal.sale, amount } });
    expect(refusal).toMatchObject({
      status: 422,
      code: 'amount_mismatch',
      error: 'The price of this message is 9.99 USD',
    });
    expect((await seen(deal)).ofFan.locked).toBe(true);
    // The payment reference is still unused.
    await app.platform.call(recordPurchase, { body: deal.sale });
  },
);

test('the price of an offer holds, whatever happens to the product', async () => {
  const deal = await buildDeal(7);
  const params = { id: deal.product.id };
  await manager.client.call(updateProduct, { params, body: { price: 70, title: 'Dearer' } });
  await manager.client.call(deleteProduct, { params });
  expect((await seen(deal)).ofFan).toMatchObject({ title: deal.product.title, price: 7 });
  await app.platform.call(recordPurchase, { body: deal.sale });
  const { ofFan, ofStaff } = await seen(deal);
  expect([ofFan.locked, ofStaff.full_s3_key]).toEqual([false, deal.product.full_s3_key]);
  const file = await fetch(new URL(ofFan.url ?? '', app.url));
  expect(file.status).toBe(200);
});

test('each offer of a message is bought separately', async () => {
  const { id, fan } = await buildConversation(app);
  const products = [await buildProduct(manager), await buildProduct(manager)];
  const message = await buildOffer(seller, id, products, 5);
  const attachment_id = message.attachments[1]?.id ?? '';
  await app.platform.call(recordPurchase, { body: { ...saleOf(fan, message, 5), attachment_id } });
  const { body } = await app.platform.call(listFanMessages, { params: { fan: fan.external_id } });
  expect(body.data[0]?.attachments.map(({ locked }) => locked)).toEqual([true, false]);
});

test('a sale is credited to the sender of the message, not to an earlier sender of the product', async () => {
  const product = await buildProduct(manager);
  const { conversation } = await buildDeal(3, product);
  const other = await buildStaff(app);
  const message = await buildOffer(other, conversation.id, [product], 4);
  await app.platform.call(recordPurchase, { body: saleOf(conversation.fan, message, 4) });
  expect(await purchasesOf(message)).toMatchObject([
    {
      admin_id: other.admin.id,
      product_id: product.id,
      fan_id: conversation.fan.id,
      conversation_id: conversation.id,
    },
  ]);
});

test('only an offer in the fan’s own message can be bought', async () => {
  const { sale, conversation } = await buildDeal();
  const other = await buildDeal();
  const plain = await buildReply(seller, conversation.id);
  const fanMessage = conversation.messages[0]?.id ?? '';
  const cases = [
    [{ fan: 'nobody' }, 'fan_not_found'],
    [{ fan: other.sale.fan }, 'message_not_found'],
    [{ message_id: other.sale.message_id }, 'message_not_found'],
    [{ message_id: crypto.randomUUID() }, 'message_not_found'],
    [{ message_id: 'nonsense' }, 'message_not_found'],
    [{ message_id: plain.id }, 'attachment_not_found'],
    [{ message_id: fanMessage }, 'attachment_not_found'],
    [{ attachment_id: other.sale.attachment_id }, 'attachment_not_found'],
    [{ attachment_id: crypto.randomUUID() }, 'attachment_not_found'],
    [{ attachment_id: 'nonsense' }, 'attachment_not_found'],
  ] as const;
  for (const [part, code] of cases) {
    const refusal = await app.platform.refused(recordPurchase, { body: { ...sale, ...part } });
    expect(refusal, JSON.stringify(part)).toMatchObject({ status: 404, code });
  }
});

/** A valid deal, which each test makes invalid. */
const sound = await buildDeal();

test.each([
  { amount: 0 },
  { amount: -1 },
  { amount: 1.001 },
  { amount: '9.99' },
  { payment_reference: '' },
  { payment_reference: 'x'.repeat(201) },
  { payment_reference: 'a\0b' },
  { purchased_at: 'yesterday' },
  { purchased_at: '2026-02-30T00:00:00Z' },
  { purchased_at: '0000-01-01T00:00:00+05:00' },
  { fan: 'a b' },
  { admin_id: 'x' },
])('a purchase with %j is refused', async (part) => {
  const { sale, message } = sound;
  const refusal = await app.platform.refused(recordPurchase, { body: { ...sale, ...part } });
  expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
  expect(await purchasesOf(message)).toEqual([]);
});

test('staff can’t report sales', async () => {
  const { sale } = await buildDeal();
  const owner = await buildStaff(app, { role: 'creator' });
  for (const endpoint of [recordPurchase, recordRefund]) {
    const refusal = await owner.client.refused(endpoint, { body: sale });
    expect(refusal).toMatchObject({ status: 401, code: 'unauthorized' });
  }
});
