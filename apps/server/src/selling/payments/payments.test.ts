import { payWithTestCard, startCheckout } from '@stagedoor/contract/platform/fan-app';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { expect, test } from 'vitest';
import { buildFan, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { openMarket } from '../../../test/worlds/market.ts';
import { offerOf, openFanClient } from '../../../test/worlds/paying-world.ts';
import { paymentsFor } from './open-payments.ts';

const app = await sharedApp();
const { buildDeal } = await openMarket(app);

test('by default the platform takes payments: its page gets the offer and the price', async () => {
  const deal = await buildDeal(12.5);
  const fan = await openFanClient(app, deal.conversation.fan, 'https://fans.example/pay?lang=de#x');
  const { body } = await fan.call(startCheckout, { body: offerOf(deal) });
  const { provider, url, amount } = body.data;
  expect([provider, amount]).toEqual(['platform', 12.5]);
  const page = new URL(url ?? '');
  expect([page.origin + page.pathname, page.hash]).toEqual(['https://fans.example/pay', '#x']);
  expect(Object.fromEntries(page.searchParams)).toEqual({
    lang: 'de',
    ...offerOf(deal),
    amount: '12.50',
  });
});

test('without a page from the platform the embedding page takes the payment', async () => {
  const deal = await buildDeal(5);
  const fan = await openFanClient(app, deal.conversation.fan);
  const { body } = await fan.call(startCheckout, { body: offerOf(deal) });
  expect(body.data).toEqual({ provider: 'platform', url: null, amount: 5 });
});

test('a bought offer is not sold again unless it was refunded', async () => {
  const deal = await buildDeal();
  const fan = await openFanClient(app, deal.conversation.fan);
  const checkout = { body: offerOf(deal) };
  await app.platform.call(recordPurchase, { body: deal.sale });
  const refusal = await fan.refused(startCheckout, checkout);
  expect(refusal).toMatchObject({ status: 409, code: 'already_purchased' });
  const { payment_reference } = deal.sale;
  await app.platform.call(recordRefund, { body: { payment_reference } });
  expect((await fan.call(startCheckout, checkout)).status).toBe(200);
});

test('a fan finds only their own offers', async () => {
  const deal = await buildDeal();
  const other = await buildDeal();
  const fan = await openFanClient(app, deal.conversation.fan);
  const stranger = await openFanClient(app, await buildFan(app));
  const { message_id, attachment_id } = offerOf(deal);
  const cases = [
    [stranger, { message_id, attachment_id }, 'message_not_found'],
    [fan, offerOf(other), 'message_not_found'],
    [fan, { message_id: 'nonsense', attachment_id }, 'message_not_found'],
    [fan, { message_id, attachment_id: 'nonsense' }, 'attachment_not_found'],
    [fan, { message_id, attachment_id: other.sale.attachment_id }, 'attachment_not_found'],
    [fan, { message_id: deal.conversation.messages[0]?.id, attachment_id }, 'attachment_not_found'],
  ] as const;
  for (const [who, body, code] of cases) {
    const refusal = await who.refused(startCheckout, { body });
    expect(refusal, JSON.stringify(body)).toMatchObject({ status: 404, code });
  }
});

test('test cards are refused if the platform takes payments', async () => {
  const deal = await buildDeal();
  const fan = await openFanClient(app, deal.conversation.fan);
  const refusal = await fan.refused(payWithTestCard, {
    body: { ...offerOf(deal), client_id: unique('pay'), card_number: '4242424242424242' },
  });
  expect(refusal).toMatchObject({ status: 409, code: 'payment_unavailable' });
});

test('without a Stripe account there is no Stripe webhook', async () => {
  const { status } = await app.anonymous.raw('POST', '/api/payments/stripe', { body: {} });
  expect(status).toBe(404);
});

test('the test card is accepted only on the embedded database, outside production', () => {
  const stripe = { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' };
  const databaseUrl = 'postgres://database';
  expect(paymentsFor({ stripe: null, databaseUrl: null, production: false })).toBe('test_card');
  expect(paymentsFor({ stripe: null, databaseUrl, production: false })).toBe('platform');
  expect(paymentsFor({ stripe: null, databaseUrl: null, production: true })).toBe('platform');
  expect(paymentsFor({ stripe, databaseUrl: null, production: false })).toBe(stripe);
  expect(paymentsFor({ stripe, databaseUrl, production: true })).toBe(stripe);
});
