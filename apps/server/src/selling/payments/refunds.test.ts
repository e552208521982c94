import { eraseFan, recordPurchase } from '@stagedoor/contract/platform/platform';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, expect, test } from 'vitest';
import { unique } from '../../../test/factories.ts';
import { until } from '../../../test/until.ts';
import { buildOffer } from '../../../test/worlds/catalogue.ts';
import { type Deal, saleOf } from '../../../test/worlds/market.ts';
import {
  newPayment,
  openPayingWorld,
  SECRET_KEY,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../../../test/worlds/paying-world.ts';

const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
const world = await openPayingWorld(log);
const {
  app,
  stripe,
  manager,
  seller,
  buildDeal,
  seen,
  purchasesOf,
  deliver,
  paidSession,
  refundsOf,
} = world;
afterAll(() => world.close());
afterEach(() => {
  stripe.failure = null;
});

/** Pays a deal through Stripe. @param fields changes the session @returns the payment's id */
async function pay(deal: Deal, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const payment = newPayment();
  const session = { ...paidSession(deal, payment), ...fields };
  const event = stripeEvent('checkout.session.completed', session);
  // Delivered twice, as Stripe may.
  for (const reply of [await deliver(event), await deliver(event)]) expect(reply.status).toBe(200);
  return payment;
}

const refundOf = (payment: string) => until(`${payment} is refunded`, () => refundsOf(payment)[0]);

test('a second payment for the same offer is refunded, once', async () => {
  const deal = await buildDeal();
  const first = await pay(deal);
  const second = await pay(deal);
  const call = await refundOf(second);
  expect(call.form).toEqual({
    payment_intent: second,
    'metadata[reason]': 'already_purchased',
  });
  // Stripe refunds once for all requests with the same key.
  const keys = new Set(refundsOf(second).map(({ headers }) => headers['idempotency-key']));
  expect([...keys]).toEqual([`give-back:${second}`]);
  expect(refundsOf(first)).toEqual([]);
  expect((await seen(deal)).ofFan.locked).toBe(false);
  // Stripe reports that refund too; it doesn't affect the first payment.
  await deliver(stripeEvent('charge.refunded', { payment_intent: second }));
  expect((await seen(deal)).ofFan.locked).toBe(false);
  expect(await purchasesOf(deal.message)).toHaveLength(1);
});

test('a payment for another offer of an owned product is refunded and audited once, and the product stays unlocked', async () => {
  const deal = await buildDeal();
  const other = await buildOffer(seller, deal.conversation.id, [deal.product]);
  const sale = saleOf(deal.conversation.fan, other, 9.99);
  await app.platform.call(recordPurchase, { body: sale });
  const payment = await pay(deal);
  expect((await refundOf(payment)).form['metadata[reason]']).toBe('already_owned');
  const { body } = await manager.client.call(listAudit, {
    query: { target_id: deal.sale.attachment_id },
  });
  expect(body.data).toMatchObject([
    { admin: null, action: 'payment.give_back', details: { payment, reason: 'already_owned' } },
  ]);
  expect((await seen(deal)).ofFan.locked).toBe(false);
});

test('a payment for a product bought through the platform meanwhile is refunded', async () => {
  const deal = await buildDeal();
  await app.platform.call(recordPurchase, { body: deal.sale });
  expect((await refundOf(await pay(deal))).form['metadata[reason]']).toBe('already_purchased');
});

test.each([
  [{ amount_total: 998 }],
  [{ amount_total: 1000 }],
  [{ amount_total: 0 }],
  [{ amount_total: null }],
  [{ currency: 'eur' }],
])('a payment of another amount is refunded and unlocks nothing: %j', async (fields) => {
  const deal = await buildDeal(9.99);
  const call = await refundOf(await pay(deal, fields));
  expect(call.form['metadata[reason]']).toBe('amount_mismatch');
  expect((await seen(deal)).ofFan.locked).toBe(true);
});

test('a payment of a fan who was erased meanwhile is refunded', async () => {
  const deal = await buildDeal();
  await app.platform.call(eraseFan, { params: { fan: deal.conversation.fan.external_id } });
  expect((await refundOf(await pay(deal))).form['metadata[reason]']).toBe('fan_not_found');
});

test('a sale stays a sale after its fan is erased', async () => {
  const deal = await buildDeal();
  const payment = unique('pi');
  const event = stripeEvent('checkout.session.completed', paidSession(deal, payment));
  await deliver(event);
  await app.platform.call(eraseFan, { params: { fan: deal.conversation.fan.external_id } });
  expect((await deliver(event)).status).toBe(200);
  expect(await purchasesOf(deal.message)).toMatchObject([{ refunded_at: null }]);
  await deliver(stripeEvent('charge.refunded', { payment_intent: payment }));
  expect((await purchasesOf(deal.message))[0]?.refunded_at).not.toBeNull();
  expect(refundsOf(payment)).toEqual([]);
});

test('a payment for an offer that no longer exists is refunded', async () => {
  const deal = await buildDeal();
  const other = await buildDeal();
  const { metadata } = paidSession(deal, 'pi');
  const call = await refundOf(
    await pay(deal, { metadata: { ...metadata, message_id: other.message.id } }),
  );
  expect(call.form['metadata[reason]']).toBe('message_not_found');
});

test('while Stripe is unavailable its events are accepted, and the refund follows later', async () => {
  const deal = await buildDeal();
  await pay(deal);
  stripe.failure = { status: 500, type: 'api_error' };
  const second = await pay(deal);
  expect((await refundOf(second)).status).toBe(500);
  stripe.failure = null;
  await until('it went back', () => refundsOf(second).some(({ status }) => status === 200));
});

test('a payment already refunded by hand or withdrawn by a bank is not retried', async () => {
  const deal = await buildDeal();
  await pay(deal);
  for (const code of ['charge_already_refunded', 'charge_disputed']) {
    stripe.failure = { status: 400, type: 'invalid_request_error', code };
    const second = await pay(deal);
    await refundOf(second);
    await until('nothing is left to do', async () => {
      const { rows } = await sql`select from jobs.job where name = 'payments-given-back'
        and state < 'completed' and data->>'payment_intent' = ${second}`.execute(app.db.kysely);
      return rows.length === 0;
    });
    expect(refundsOf(second)).toHaveLength(1);
  }
});

test('a refund that Stripe refuses for good is logged with its payment', async () => {
  const deal = await buildDeal();
  await pay(deal);
  stripe.failure = { status: 400, type: 'invalid_request_error' };
  const second = await pay(deal);
  const line = await until('it was given up', () =>
    lines.find((one) => one.includes('Refund it in Stripe') && one.includes(second)),
  );
  expect(JSON.parse(line)).toMatchObject({ payment: second, reason: 'already_purchased' });
  for (const secret of [SECRET_KEY, WEBHOOK_SECRET]) expect(lines.join('')).not.toContain(secret);
});
