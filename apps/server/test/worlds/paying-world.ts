import { openFanSession } from '@stagedoor/contract/platform/fan-app';
import { createFanSession } from '@stagedoor/contract/platform/platform';
import Stripe from 'stripe';
import { expect } from 'vitest';
import type { Logger } from '../../src/log.ts';
import { unique } from '../factories.ts';
import { type HttpClient, httpClient, type RawReply } from '../http-client.ts';
import { OPEN_SESSION, startStripeServer, stripeFixture } from '../servers/stripe-server.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { type Deal, openMarket } from './market.ts';

export const WEBHOOK_SECRET = 'whsec_of_the_tests';
export const SECRET_KEY = 'sk_test_of_the_tests';

/** Opens a fan's session in the fan client. @param checkoutUrl the platform's payment page */
export async function openFanClient(
  app: TestApp,
  fan: { readonly external_id: string },
  checkoutUrl?: string,
): Promise<HttpClient> {
  const { body } = await app.platform.call(createFanSession, {
    params: { fan: fan.external_id },
    body: checkoutUrl === undefined ? {} : { checkout_url: checkoutUrl },
  });
  const opened = await app.anonymous.call(openFanSession, { body: { link: body.data.link } });
  return httpClient(app.url, opened.body.data.token);
}

/** Returns the ids that name a deal's offer in a fan's requests. */
export const offerOf = ({ sale: { message_id, attachment_id } }: Pick<Deal, 'sale'>) => ({
  message_id,
  attachment_id,
});

/** Returns the id of a new payment at Stripe. */
export const newPayment = () => unique('pi').replaceAll('-', '_');

export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

const SEPA = {
  payment_method_types: ['sepa_debit'],
  payment_method_options: { sepa_debit: {} },
};

/** The events, each with the recording that it is made from and the fields of its object to replace. */
const EVENTS = {
  'checkout.session.completed': ['checkout.session.completed', {}],
  'checkout.session.completed.unpaid': [
    'checkout.session.completed',
    { ...SEPA, payment_status: 'unpaid' },
  ],
  'checkout.session.async_payment_succeeded': ['checkout.session.completed', SEPA],
  'checkout.session.expired': [
    'checkout.session.completed',
    { ...OPEN_SESSION, status: 'expired' },
  ],
  'charge.refunded': ['charge.refunded', {}],
  'charge.refunded.partly': ['charge.refunded', { amount_refunded: 500, refunded: false }],
  'charge.dispute.created': ['charge.dispute.created', {}],
  'charge.dispute.funds_withdrawn': ['charge.dispute.funds_withdrawn', {}],
} as const;

/** Returns an event with the current time, a new id and other fields in its object. */
export function stripeEvent(name: keyof typeof EVENTS, fields: Readonly<Record<string, unknown>>) {
  const [recording, ownFields] = EVENTS[name];
  const event = stripeFixture<StripeEvent>(recording);
  return {
    ...event,
    id: unique('evt'),
    type: name.replace(/\.(unpaid|partly)$/, ''),
    created: Math.floor(Date.now() / 1000),
    data: { ...event.data, object: { ...event.data.object, ...ownFields, ...fields } },
  };
}

/** Starts a server with a simulated Stripe account, and opens a market. @param log none by default */
export async function openPayingWorld(log?: Logger) {
  const stripe = await startStripeServer();
  const app = await startTestApp({
    payments: {
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      server: stripe.at,
      refundRetries: { attempts: 3, firstPause: 1, longestPause: 1 },
    },
    ...(log && { log }),
  });
  const market = await openMarket(app);
  const { id: creator } = await app.db.kysely
    .selectFrom('creators')
    .select('id')
    .executeTakeFirstOrThrow();

  /** @param signature a valid one for the current time by default */
  function deliver(event: StripeEvent | string, signature?: string): Promise<RawReply> {
    const payload = typeof event === 'string' ? event : JSON.stringify(event);
    return app.anonymous.raw('POST', '/api/payments/stripe', {
      body: payload,
      headers: {
        'stripe-signature':
          signature ??
          Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET }),
      },
    });
  }

  return {
    app,
    stripe,
    ...market,
    deliver,

    /** Delivers an event and checks that the server accepts it. */
    async taken(event: StripeEvent): Promise<void> {
      const { status, text } = await deliver(event);
      expect([status, text]).toEqual([200, '{"received":true}']);
    },

    /** Returns the fields of a checkout session that pays for a deal at its price. */
    paidSession: (deal: Deal, payment: string) => ({
      payment_intent: payment,
      amount_subtotal: Math.round(deal.sale.amount * 100),
      amount_total: Math.round(deal.sale.amount * 100),
      metadata: { creator, fan: deal.conversation.fan.external_id, ...offerOf(deal) },
    }),

    /** Returns the refunds requested from Stripe for a payment. */
    refundsOf: (payment: string) =>
      stripe.calls.filter(
        ({ path, form }) => path === '/v1/refunds' && form.payment_intent === payment,
      ),

    async close() {
      await app.close();
      await stripe.close();
    },
  };
}
