import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { afterAll, expect, test } from 'vitest';
import { setWebhook, unique } from '../../../test/factories.ts';
import type { Deal } from '../../../test/worlds/market.ts';
import {
  newPayment,
  openPayingWorld,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../../../test/worlds/paying-world.ts';

const world = await openPayingWorld();
const {
  app,
  manager,
  buildDeal,
  seen,
  versionOf,
  purchasesOf,
  deliver,
  taken,
  paidSession,
  refundsOf,
} = world;
afterAll(() => world.close());
await setWebhook(app);

/** Builds a deal that the fan paid for through Stripe, and Stripe's event for it. */
async function buildPaid(price?: number) {
  const deal = await buildDeal(price);
  const payment = newPayment();
  const completed = stripeEvent('checkout.session.completed', paidSession(deal, payment));
  return { deal, payment, completed };
}

const locked = async (deal: Deal) => (await seen(deal)).ofFan.locked;

const webhooksOf = async (deal: Deal) =>
  (
    await app.db.kysely
      .selectFrom('webhook_events')
      .select('type')
      .where('conversation_id', '=', deal.conversation.id)
      .where('type', 'in', ['purchase.recorded', 'purchase.refunded'])
      .orderBy('id')
      .execute()
  ).map(({ type }) => type);

test('a paid session unlocks the product as of the payment time, and the platform is notified', async () => {
  const { deal, payment, completed } = await buildPaid(12.34);
  await taken(completed);
  const { ofFan, ofStaff } = await seen(deal);
  expect(ofFan).toMatchObject({ locked: false, price: 12.34 });
  expect(ofStaff.purchased_at).toBe(new Date(completed.created * 1000).toISOString());
  expect(await purchasesOf(deal.message)).toMatchObject([
    {
      payment_reference: `stripe:${payment}`,
      amount_cents: 1234,
      product_id: deal.product.id,
      refunded_at: null,
    },
  ]);
  expect(await webhooksOf(deal)).toEqual(['purchase.recorded']);
});

test('a sale by card counts in the analytics like any other', async () => {
  const { deal, completed } = await buildPaid(77.07);
  await taken(completed);
  const { body } = await manager.client.call(analyticsOverview);
  const product = body.top_products.find(({ product_id }) => product_id === deal.product.id);
  expect(product).toMatchObject({ times_purchased: 1, total_revenue: 77.07 });
});

test('a payment that takes days unlocks the product once it arrives', async () => {
  const { deal, payment } = await buildPaid();
  const session = paidSession(deal, payment);
  await taken(stripeEvent('checkout.session.completed.unpaid', session));
  expect(await locked(deal)).toBe(true);
  await taken(stripeEvent('checkout.session.async_payment_succeeded', session));
  expect(await locked(deal)).toBe(false);
  expect(refundsOf(payment)).toEqual([]);
});

test('a repeated event, even sixteen times at once, changes nothing more', async () => {
  const { deal, payment, completed } = await buildPaid();
  const version = await versionOf(deal);
  const replies = await Promise.all(Array.from({ length: 16 }, () => deliver(completed)));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  await taken(completed);
  expect(await purchasesOf(deal.message)).toHaveLength(1);
  expect(await versionOf(deal)).toBe(version + 1);
  expect(await webhooksOf(deal)).toEqual(['purchase.recorded']);
  expect(refundsOf(payment)).toEqual([]);
});

test.each(['charge.refunded', 'charge.dispute.funds_withdrawn'] as const)(
  '%s locks the product, once',
  async (name) => {
    const { deal, payment, completed } = await buildPaid();
    await taken(completed);
    const back = stripeEvent(name, { payment_intent: payment });
    await taken(back);
    await taken(back);
    expect(await locked(deal)).toBe(true);
    const [purchase] = await purchasesOf(deal.message);
    expect(purchase?.refunded_at?.getTime()).toBe(back.created * 1000);
    expect(await webhooksOf(deal)).toEqual(['purchase.recorded', 'purchase.refunded']);
    // Stripe repeats the old payment event: the sale stays refunded.
    await taken(completed);
    expect(await locked(deal)).toBe(true);
    expect(refundsOf(payment)).toEqual([]);
  },
);

test.each(['charge.refunded', 'charge.dispute.funds_withdrawn'] as const)(
  '%s that arrives before the sale leaves the product locked',
  async (name) => {
    const { deal, payment, completed } = await buildPaid();
    await taken(stripeEvent(name, { payment_intent: payment }));
    await taken(completed);
    expect(await locked(deal)).toBe(true);
    expect(refundsOf(payment)).toEqual([]);
  },
);

test('a concurrent sale and refund end with a locked product', async () => {
  const rounds = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { deal, payment, completed } = await buildPaid();
      const refunded = stripeEvent('charge.refunded', { payment_intent: payment });
      await Promise.all([taken(completed), taken(refunded), taken(completed), taken(refunded)]);
      return locked(deal);
    }),
  );
  expect(new Set(rounds)).toEqual(new Set([true]));
});

test('a partial refund or an opened dispute keeps the product unlocked', async () => {
  const { deal, payment, completed } = await buildPaid();
  await taken(completed);
  for (const name of ['charge.refunded.partly', 'charge.dispute.created'] as const) {
    await taken(stripeEvent(name, { payment_intent: payment }));
  }
  expect(await locked(deal)).toBe(false);
});

test('events about other payments are accepted and change nothing', async () => {
  const { deal, payment } = await buildPaid();
  const { metadata, ...session } = paidSession(deal, payment);
  const elsewhere = { ...metadata, creator: crypto.randomUUID() };
  const name = 'checkout.session.completed';
  for (const event of [
    stripeEvent('checkout.session.expired', { metadata }),
    stripeEvent(name, { ...session, metadata: {} }),
    stripeEvent(name, { ...session, metadata: null }),
    stripeEvent(name, { ...session, metadata: elsewhere }),
    stripeEvent(name, { ...session, metadata, payment_intent: null }),
    { ...stripeEvent(name, { ...session, metadata }), type: 'customer.created' },
    stripeEvent('charge.refunded', { payment_intent: unique('pi') }),
    stripeEvent('charge.refunded', { payment_intent: null }),
  ]) {
    await taken(event);
  }
  expect(await locked(deal)).toBe(true);
  // The server refunds none of these payments.
  expect(refundsOf(payment)).toEqual([]);
});

test('an event without a recent signature by Stripe over its exact bytes is refused', async () => {
  const { deal, completed } = await buildPaid();
  const payload = JSON.stringify(completed);
  const sign = (overrides: { payload?: string; secret?: string; timestamp?: number }) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET, ...overrides });
  const longAgo = Math.floor(Date.now() / 1000) - 301;
  for (const [body, signature] of [
    [payload, ''],
    [payload, 'nonsense'],
    [payload, sign({ secret: 'whsec_of_another' })],
    [payload, sign({ timestamp: longAgo })],
    [payload, sign({ payload: payload.replace('999', '998') })],
    [`${payload} `, sign({})],
    ['no json', sign({ payload: 'no json' })],
    ['', sign({ payload: '' })],
  ] as const) {
    const { status, text } = await deliver(body, signature);
    expect([status, JSON.parse(text)], signature).toMatchObject([400, { code: 'invalid_request' }]);
  }
  const unsigned = await app.anonymous.raw('POST', '/api/payments/stripe', { body: completed });
  expect(unsigned.status).toBe(400);
  expect(await locked(deal)).toBe(true);
});

test('an event over 256 kB is refused, even with a valid signature', async () => {
  const { deal, completed } = await buildPaid();
  const { status } = await deliver({ ...completed, id: 'x'.repeat(256 * 1024) });
  expect(status).toBe(413);
  expect(await locked(deal)).toBe(true);
});

test('an event in a newer format, with expanded objects, is accepted', async () => {
  const { deal, payment } = await buildPaid();
  const session = { ...paidSession(deal, payment), payment_intent: { id: payment } };
  await taken(stripeEvent('checkout.session.completed', session));
  expect(await locked(deal)).toBe(false);
  const charge = { payment_intent: { id: payment } };
  await taken(stripeEvent('charge.refunded', charge));
  expect(await locked(deal)).toBe(true);
});

test('the platform’s report of the same payment is the same sale', async () => {
  const { deal, payment, completed } = await buildPaid();
  const payment_reference = `stripe:${payment}`;
  await app.platform.call(recordPurchase, { body: { ...deal.sale, payment_reference } });
  await taken(completed);
  expect(await purchasesOf(deal.message)).toHaveLength(1);
  expect(refundsOf(payment)).toEqual([]);
  const second = await buildPaid();
  await taken(second.completed);
  const { status } = await app.platform.call(recordPurchase, {
    body: { ...second.deal.sale, payment_reference: `stripe:${second.payment}` },
  });
  expect(status).toBe(200);
});

test('Stripe is asked to resend an event that the database could not store', async () => {
  const { deal, payment, completed } = await buildPaid();
  await sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'out of order'; end $$`.execute(app.db.kysely);
  await sql`create trigger refuse before insert on purchases for each row
    when (new.payment_reference = ${sql.lit(`stripe:${payment}`)}) execute function refuse()`.execute(
    app.db.kysely,
  );
  expect((await deliver(completed)).status).toBe(500);
  await sql`drop trigger refuse on purchases`.execute(app.db.kysely);
  expect(await locked(deal)).toBe(true);
  await taken(completed);
  expect(await locked(deal)).toBe(false);
  expect(refundsOf(payment)).toEqual([]);
});
