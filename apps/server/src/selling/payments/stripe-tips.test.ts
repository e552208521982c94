import { getFanHome, startTipCheckout } from '@stagedoor/contract/platform/fan-app';
import { eraseFan, recordTip } from '@stagedoor/contract/platform/platform';
import { afterAll, expect, test } from 'vitest';
import { buildFan, setWebhook, unique } from '../../../test/factories.ts';
import { until } from '../../../test/until.ts';
import {
  newPayment,
  openFanClient,
  openPayingWorld,
  stripeEvent,
} from '../../../test/worlds/paying-world.ts';

const world = await openPayingWorld();
const { app, stripe, taken, refundsOf } = world;
afterAll(() => world.close());
await setWebhook(app);

/** Returns what a page's payment carries: the metadata that the server sent to Stripe. */
const metadataOf = (form: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return key === undefined ? [] : [[key, value]];
    }),
  );

/** Opens a payment page for a tip of $12.34, and builds Stripe's event for the payment. */
async function buildPaid() {
  const fan = await buildFan(app);
  const client = await openFanClient(app, fan);
  const tip = { amount: 12.34, message: 'Encore!', client_id: unique('client') };
  const { body } = await client.call(startTipCheckout, { body: tip });
  const payment = newPayment();
  const session = {
    payment_intent: payment,
    amount_subtotal: 1234,
    amount_total: 1234,
    metadata: metadataOf(stripe.calls.at(-1)?.form ?? {}),
  };
  const completed = stripeEvent('checkout.session.completed', session);
  const tips = async () => (await client.call(getFanHome)).body.data.tips;
  return { fan, client, tip, started: body.data, payment, completed, tips };
}

const webhooksOf = async (conversationId: string) =>
  (
    await app.db.kysely
      .selectFrom('webhook_events')
      .select('type')
      .where('conversation_id', '=', conversationId)
      .orderBy('id')
      .execute()
  ).map(({ type }) => type);

test('a tip is a Stripe page for its amount; a retry gets the same page, another tip another one', async () => {
  const { client, tip, started } = await buildPaid();
  const url = stripe.sessions.at(-1)?.url ?? 'none';
  expect(started).toEqual({ provider: 'stripe', url, amount: 12.34 });
  expect(stripe.calls.at(-1)?.form).toMatchObject({
    'line_items[0][price_data][unit_amount]': '1234',
    'line_items[0][price_data][product_data][name]': 'Tip',
  });
  const again = await client.call(startTipCheckout, { body: tip });
  expect(again.body.data.url).toBe(url);
  const other = { ...tip, client_id: unique('client') };
  expect((await client.call(startTipCheckout, { body: other })).body.data.url).not.toBe(url);
});

test('a paid tip counts once, its refund removes it, and the platform is notified of both', async () => {
  const { fan, payment, completed, tips } = await buildPaid();
  await taken(completed);
  await taken(completed);
  expect(await tips()).toMatchObject([
    {
      amount: 12.34,
      message: 'Encore!',
      tipped_at: new Date(completed.created * 1000).toISOString(),
    },
  ]);
  const report = {
    fan: fan.external_id,
    amount: 12.34,
    message: 'Encore!',
    payment_reference: `stripe:${payment}`,
  };
  expect((await app.platform.call(recordTip, { body: report })).status).toBe(200);
  const refunded = stripeEvent('charge.refunded', { payment_intent: payment });
  await taken(refunded);
  await taken(refunded);
  expect(await tips()).toEqual([]);
  expect(await webhooksOf(fan.conversation_id)).toEqual(['tip.recorded', 'tip.refunded']);
});

test('a refund that arrives before its payment leaves no tip', async () => {
  const { payment, completed, tips } = await buildPaid();
  await taken(stripeEvent('charge.refunded', { payment_intent: payment }));
  await taken(completed);
  expect(await tips()).toEqual([]);
});

test('a tip of a fan who was erased meanwhile is refunded', async () => {
  const { fan, payment, completed } = await buildPaid();
  await app.platform.call(eraseFan, { params: { fan: fan.external_id } });
  await taken(completed);
  await until('the refund is requested', () => refundsOf(payment).length > 0);
});
