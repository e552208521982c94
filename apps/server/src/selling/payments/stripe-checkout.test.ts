import { unsendMessage } from '@stagedoor/contract/messaging/messages';
import { payWithTestCard, startCheckout } from '@stagedoor/contract/platform/fan-app';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { afterAll, afterEach, expect, test } from 'vitest';
import { unique } from '../../../test/factories.ts';
import { until } from '../../../test/until.ts';
import { buildOffer } from '../../../test/worlds/catalogue.ts';
import { type Deal, saleOf } from '../../../test/worlds/market.ts';
import { offerOf, openFanClient, openPayingWorld } from '../../../test/worlds/paying-world.ts';

const world = await openPayingWorld();
const { app, stripe, seller, buildDeal, paidSession } = world;
afterAll(() => world.close());
afterEach(() => {
  stripe.failure = null;
});

async function buildBuyer(price?: number) {
  const deal = await buildDeal(price);
  const client = await openFanClient(app, deal.conversation.fan, 'https://platform.example/pay');
  return { deal, client, checkout: { body: offerOf(deal) } };
}

/** Returns the requests for a payment page of a deal. */
const callsFor = ({ message }: Deal) =>
  stripe.calls.filter(({ form }) => form['metadata[message_id]'] === message.id);

test('a checkout is a Stripe page for one item at the message’s price that returns to the fan client', async () => {
  const { deal, client, checkout } = await buildBuyer(1234.5);
  const before = Date.now() / 1000;
  const { body } = await client.call(startCheckout, checkout);
  const url = stripe.sessions.at(-1)?.url ?? 'none';
  expect(body.data).toEqual({ provider: 'stripe', url, amount: 1234.5 });

  const [call] = callsFor(deal);
  expect(call?.path).toBe('/v1/checkout/sessions');
  expect(call?.headers).toMatchObject({
    authorization: 'Bearer sk_test_of_the_tests',
    'content-type': 'application/x-www-form-urlencoded',
    'stripe-version': '2026-10-28.endive',
  });
  const { expires_at, ...form } = call?.form ?? {};
  const { creator, fan } = paidSession(deal, 'pi').metadata;
  const metadata = Object.entries({ creator, fan, ...offerOf(deal) });
  expect(form).toEqual({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '123450',
    'line_items[0][price_data][product_data][name]': deal.product.title,
    'adaptive_pricing[enabled]': 'false',
    client_reference_id: fan,
    ...Object.fromEntries(metadata.map(([name, value]) => [`metadata[${name}]`, value])),
    ...Object.fromEntries(
      metadata.map(([name, value]) => [`payment_intent_data[metadata][${name}]`, value]),
    ),
    success_url: `${app.url}/fan/?checkout=paid`,
    cancel_url: `${app.url}/fan/?checkout=cancelled`,
  });
  // Stripe accepts half an hour to a day.
  expect(Number(expires_at)).toBeGreaterThan(before + 30 * 60);
  expect(Number(expires_at)).toBeLessThan(before + 60 * 60);
});

test('a second click leads to the same page', async () => {
  const { deal, client, checkout } = await buildBuyer();
  const replies = await Promise.all([
    client.call(startCheckout, checkout),
    client.call(startCheckout, checkout),
  ]);
  const inCapitals = {
    message_id: deal.message.id.toUpperCase(),
    attachment_id: checkout.body.attachment_id,
  };
  replies.push(await client.call(startCheckout, { body: inCapitals }));
  expect(callsFor(deal)).toHaveLength(3);
  // Requests in two time windows may differ; within one window they are the same.
  expect(new Set(callsFor(deal).map(({ headers }) => headers['idempotency-key'])).size).toBe(
    new Set(replies.map(({ body }) => body.data.url)).size,
  );
  expect(new Set(replies.map(({ body }) => body.data.url)).size).toBeLessThan(3);
});

test('after a refund the product is bought on another page', async () => {
  const { deal, client, checkout } = await buildBuyer();
  const first = await client.call(startCheckout, checkout);
  await app.platform.call(recordPurchase, { body: deal.sale });
  const refusal = await client.refused(startCheckout, checkout);
  expect(refusal).toMatchObject({ status: 409, code: 'already_purchased' });
  const { payment_reference } = deal.sale;
  await app.platform.call(recordRefund, { body: { payment_reference } });
  const second = await client.call(startCheckout, checkout);
  expect(second.body.data.url).not.toBe(first.body.data.url);
});

test.each([
  [{ status: 400, type: 'invalid_request_error', code: 'amount_too_small' }, 409],
  [{ status: 401, type: 'invalid_request_error' }, 409],
  [{ status: 403, type: 'invalid_request_error' }, 409],
  [{ status: 429, type: 'invalid_request_error', code: 'rate_limit' }, 503],
  [{ status: 500, type: 'api_error' }, 503],
])('when Stripe answers %j the fan gets %d, without Stripe’s message', async (failure, status) => {
  const { client, checkout } = await buildBuyer();
  stripe.failure = failure;
  const refusal = await client.refused(startCheckout, checkout);
  expect(refusal).toMatchObject({
    status,
    code: status === 503 ? 'unavailable' : 'payment_unavailable',
  });
  expect(refusal.text).not.toContain('As the test wants it');
});

test('a failure that Stripe replays for the same key does not block later checkouts', async () => {
  const { client, checkout } = await buildBuyer();
  stripe.failure = { status: 500, type: 'api_error' };
  await client.refused(startCheckout, checkout);
  stripe.failure = null;
  const { body } = await client.call(startCheckout, checkout);
  expect(body.data.url).toMatch(/^https:/);
});

test('another offer of an owned product can’t be paid', async () => {
  const { deal, client, checkout } = await buildBuyer();
  const other = await buildOffer(seller, deal.conversation.id, [deal.product]);
  await app.platform.call(recordPurchase, { body: saleOf(deal.conversation.fan, other, 9.99) });
  expect(await client.refused(startCheckout, checkout)).toMatchObject({
    status: 409,
    code: 'already_owned',
  });
});

test('once the fan owns a product, its other open pages expire', async () => {
  const { deal, client, checkout } = await buildBuyer();
  const elsewhere = await buildBuyer();
  const other = await buildOffer(seller, deal.conversation.id, [deal.product]);
  const { body } = await client.call(startCheckout, checkout);
  const kept = await elsewhere.client.call(startCheckout, elsewhere.checkout);
  const sale = saleOf(deal.conversation.fan, other, 9.99);
  await app.platform.call(recordPurchase, { body: sale });
  const idOf = (url: string | null) => url?.split('/').at(-1) ?? '';
  const expired = () => stripe.calls.filter(({ path }) => path.endsWith('/expire'));
  await until('the page has expired', () =>
    expired().some(({ path }) => path.includes(idOf(body.data.url))),
  );
  expect(expired().some(({ path }) => path.includes(idOf(kept.body.data.url)))).toBe(false);
  // After a refund, the offer can be bought again on a new page.
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  const second = await client.call(startCheckout, checkout);
  expect(second.body.data.url).not.toBe(body.data.url);
});

test('test cards are refused if Stripe takes payments', async () => {
  const { client, checkout } = await buildBuyer();
  const body = { ...checkout.body, client_id: unique('pay'), card_number: '4242424242424242' };
  const refusal = await client.refused(payWithTestCard, { body });
  expect(refusal).toMatchObject({ status: 409, code: 'payment_unavailable' });
});

test('once an offer is unsent, its open pages expire', async () => {
  const { deal, client, checkout } = await buildBuyer();
  const other = await buildOffer(seller, deal.conversation.id, [deal.product]);
  const { body } = await client.call(startCheckout, checkout);
  const kept = await client.call(startCheckout, {
    body: offerOf({ sale: saleOf(deal.conversation.fan, other, 9.99) }),
  });
  await seller.client.call(unsendMessage, { params: { id: deal.message.id } });
  const idOf = (url: string | null) => url?.split('/').at(-1) ?? '';
  const expired = () => stripe.calls.filter(({ path }) => path.endsWith('/expire'));
  await until('the page has expired', () =>
    expired().some(({ path }) => path.includes(`/${idOf(body.data.url)}/`)),
  );
  expect(expired().some(({ path }) => path.includes(`/${idOf(kept.body.data.url)}/`))).toBe(false);
  expect(await client.refused(startCheckout, checkout)).toMatchObject({ status: 404 });
});
