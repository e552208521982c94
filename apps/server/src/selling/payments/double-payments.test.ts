import { recordRefund } from '@stagedoor/contract/platform/platform';
import { listDoublePayments, refundDoublePayment } from '@stagedoor/contract/selling/analytics';
import { listAudit } from '@stagedoor/contract/team/audit';
import { afterAll, expect, test } from 'vitest';
import { unique } from '../../../test/factories.ts';
import { until } from '../../../test/until.ts';
import { buildOffer } from '../../../test/worlds/catalogue.ts';
import { payTwice } from '../../../test/worlds/double-payment.ts';
import { saleOf } from '../../../test/worlds/market.ts';
import { newPayment, openPayingWorld, stripeEvent } from '../../../test/worlds/paying-world.ts';

const world = await openPayingWorld();
const { app, stripe, manager, seller, buildDeal, seen, purchasesOf, deliver, refundsOf } = world;
afterAll(() => world.close());

/** A fan who paid for two offers of one product. */
async function buildDoublePayment(reference = unique('payment')) {
  const deal = await buildDeal(9.99);
  const { conversation, product } = deal;
  const second = await buildOffer(seller, conversation.id, [product], 12.5);
  const first = { ...deal.sale, payment_reference: reference };
  const owning = saleOf(conversation.fan, second, 12.5);
  const id = await payTwice(app, first, owning);
  return { deal, id, reference, owning };
}

const listed = async (id: string) =>
  (await manager.client.call(listDoublePayments, {})).body.data.find((each) => each.id === id);
const refund = async (id: string) =>
  (await manager.client.call(refundDoublePayment, { params: { id } })).body.data;
const audited = async (target_id: string) =>
  (await manager.client.call(listAudit, { query: { target_id } })).body.data.filter(({ action }) =>
    action.startsWith('payment.'),
  );

test('a double payment through the platform is listed until its refund is recorded, and the fan keeps the product', async () => {
  const { deal, id, reference } = await buildDoublePayment();
  expect(await listed(id)).toMatchObject({
    amount: 9.99,
    product_title: deal.product.title,
    payment_reference: reference,
    conversation_id: deal.conversation.id,
    pays_back: 'platform',
    refund_requested_at: null,
    refunded_at: null,
  });
  expect(await refund(id)).toEqual({ state: 'refunded' });
  expect(await listed(id)).toBeUndefined();
  expect((await purchasesOf(deal.message))[0]?.refunded_at).not.toBeNull();
  expect((await seen(deal)).ofFan.locked).toBe(false);
  expect(await audited(deal.sale.attachment_id)).toMatchObject([
    {
      admin: { id: manager.admin.id },
      action: 'payment.refund',
      target_label: deal.product.title,
      details: { payment: reference },
    },
  ]);
  const again = await manager.client.refused(refundDoublePayment, { params: { id } });
  expect(again).toMatchObject({ status: 404, code: 'purchase_not_found' });
});

test('a double payment at Stripe is refunded there once, and leaves the list when Stripe confirms it', async () => {
  const payment = newPayment();
  const { deal, id } = await buildDoublePayment(`stripe:${payment}`);
  expect(await listed(id)).toMatchObject({ pays_back: 'stripe', refund_requested_at: null });
  const states = await Promise.all([refund(id), refund(id), refund(id)]);
  expect(states).toEqual(Array(3).fill({ state: 'requested' }));
  await until('Stripe is asked', () => refundsOf(payment)[0]);
  expect(refundsOf(payment)).toHaveLength(1);
  expect((await listed(id))?.refund_requested_at).not.toBeNull();
  expect(await audited(deal.sale.attachment_id)).toMatchObject([
    {
      admin: { id: manager.admin.id },
      action: 'payment.give_back',
      target_label: deal.product.title,
      details: { payment, reason: 'already_owned' },
    },
  ]);
  await deliver(stripeEvent('charge.refunded', { payment_intent: payment }));
  expect(await listed(id)).toBeUndefined();
  expect((await seen(deal)).ofFan.locked).toBe(false);
});

test('when the payment that unlocks the product is refunded, the other one unlocks it', async () => {
  const { deal, id, owning } = await buildDoublePayment();
  const { payment_reference } = owning;
  await app.platform.call(recordRefund, { body: { payment_reference } });
  expect((await seen(deal)).ofFan.locked).toBe(false);
  expect(await listed(id)).toBeUndefined();
});

test('a refund that Stripe refused for good can be requested again', async () => {
  const payment = newPayment();
  const { id } = await buildDoublePayment(`stripe:${payment}`);
  stripe.failure = { status: 400, type: 'invalid_request_error' };
  await refund(id);
  await until('it was given up', async () => (await listed(id))?.refund_requested_at === null);
  stripe.failure = null;
  expect(await refund(id)).toEqual({ state: 'requested' });
  await until('it is refunded', () => refundsOf(payment).some(({ status }) => status === 200));
});

test('only double payments can be refunded here', async () => {
  const { deal, id, reference } = await buildDoublePayment();
  const purchases = await app.db.kysely
    .selectFrom('purchases')
    .select('id')
    .where('fan_id', '=', deal.conversation.fan.id)
    .where('id', '!=', id)
    .execute();
  await app.platform.call(recordRefund, { body: { payment_reference: reference } });
  for (const other of [id, purchases[0]?.id ?? '', crypto.randomUUID(), 'x']) {
    const refusal = await manager.client.refused(refundDoublePayment, { params: { id: other } });
    expect(refusal).toMatchObject({ status: 404, code: 'purchase_not_found' });
  }
});
