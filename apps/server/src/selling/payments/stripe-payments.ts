import { createHash, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { Retries } from '../../jobs/jobs.ts';
import type { Logger } from '../../log.ts';
import { findNeedlessCheckouts, forgetCheckout, noteCheckout } from './payments.store.ts';
import type { Checkout, Payments } from './payments.ts';

/** Stripe's version of its API that this program speaks: the one of the pinned SDK. */
const API_VERSION = '2026-10-28.endive';
/** Stripe answers in less than a second, mostly. Milliseconds; tried again twice. */
const TIMEOUT_MS = 8_000;
const NETWORK_RETRIES = 2;
/** Seconds between Stripe's signature of an event and its arrival. */
const TOLERANCE_S = 300;
/** Within one such window the same fan gets the same page for the same thing. Seconds. */
const WINDOW_S = 10 * 60;
/** A page lives at least this long; Stripe wants half an hour. Seconds. */
const PAGE_S = 35 * 60;

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Another server that speaks Stripe's API; Stripe's own unless told. */
  readonly server?: { readonly host: string; readonly port: number; readonly protocol: 'http' };
  /** How often a payment that bought nothing is tried to be given back; for days unless told. */
  readonly giveBackRetries?: Retries;
}

interface StripeDependencies {
  readonly db: Database;
  /** Where the fan client is, as people reach it. */
  readonly fanClient: () => string;
  readonly log: Logger;
}

export interface StripePayments extends Omit<Payments, 'giveBack'> {
  /** The event in a webhook's body. @throws AppError 400 when Stripe did not sign it, or long ago */
  readEvent(body: Buffer, signature: string | undefined): Stripe.Event;
  /**
   * Refunds a whole payment; once, however often it is asked for.
   * @param refusals how often it was definitely refused: Stripe replays a stored failure for the same idempotency key
   * @returns false for a definite refusal; true when nothing is left to refund
   * @throws when the outcome is unknown, and the same key has to be used again
   */
  refund(paymentIntent: string, reason: string, refusals: number): Promise<boolean>;
}

/** Stripe Checkout: fans pay on Stripe's pages, and no card ever comes near this server. */
export function stripePayments(
  { secretKey, webhookSecret, server }: StripeSettings,
  { db, fanClient, log }: StripeDependencies,
): StripePayments {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    ...server,
  });

  /** A failure that Stripe only replays says nothing of now: it is asked again under another key. */
  async function createSession(params: Stripe.Checkout.SessionCreateParams, key: string) {
    try {
      return await stripe.checkout.sessions.create(params, { idempotencyKey: key });
    } catch (error) {
      if (!isStripeError(error) || error.headers?.['idempotent-replayed'] !== 'true') throw error;
      return stripe.checkout.sessions.create(params, { idempotencyKey: `${key}:${randomUUID()}` });
    }
  }

  return {
    provider: 'stripe',
    acceptsCard: null,

    async pageFor(checkout) {
      const params = sessionParams(checkout, fanClient());
      try {
        const { id, url } = await createSession(params, keyOf(params, checkout.returned));
        if (url === null) throw new AppError('payment_unavailable');
        await noteCheckout(db, id, checkout.fan.id, checkout.product_id);
        return url;
      } catch (error) {
        if (!isStripeError(error)) throw error;
        log.error({ stripe: summaryOf(error) }, 'Stripe did not create a payment page');
        throw new AppError(isPassing(error) ? 'unavailable' : 'payment_unavailable');
      }
    },

    async expireNeedless() {
      for (const id of await findNeedlessCheckouts(db)) {
        try {
          await stripe.checkout.sessions.expire(id);
        } catch (error) {
          if (!isStripeError(error) || isPassing(error)) throw error;
          // It was paid, or ran out, before.
          log.info({ checkout: id, stripe: summaryOf(error) }, 'Stripe did not expire a checkout');
        }
        await forgetCheckout(db, id);
      }
    },

    readEvent(body, signature) {
      try {
        return stripe.webhooks.constructEvent(body, signature ?? '', webhookSecret, TOLERANCE_S);
      } catch {
        throw new AppError('invalid_request', { message: 'The signature is not valid' });
      }
    },

    async refund(paymentIntent, reason, refusals) {
      const attempt = refusals === 0 ? '' : `:${refusals}`;
      try {
        await stripe.refunds.create(
          { payment_intent: paymentIntent, metadata: { reason } },
          { idempotencyKey: `give-back:${paymentIntent}${attempt}` },
        );
        return true;
      } catch (error) {
        if (!isStripeError(error)) throw error;
        log.warn({ payment: paymentIntent, stripe: summaryOf(error) }, 'Stripe refused a refund');
        // Given back by hand, or taken back by the fan's bank.
        if (error.code === 'charge_already_refunded' || error.code === 'charge_disputed')
          return true;
        if (isDefinite(error)) return false;
        throw error;
      }
    },
  };
}

function sessionParams(checkout: Checkout, fanClient: string) {
  const { fan, message_id, attachment_id, title, price_cents } = checkout;
  // What tells our payments from others of the same account, and leads back to what was bought.
  const metadata = {
    creator: fan.creator_id,
    fan: fan.external_id,
    message_id,
    attachment_id,
  };
  const window = Math.floor(Date.now() / 1000 / WINDOW_S);
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: price_cents, product_data: { name: title } },
      },
    ],
    // The price is what the message asks, in dollars, whatever the account's own settings say.
    adaptive_pricing: { enabled: false },
    client_reference_id: fan.external_id,
    metadata,
    // For people who look at the payment in Stripe's dashboard.
    payment_intent_data: { metadata },
    success_url: `${fanClient}?checkout=paid`,
    cancel_url: `${fanClient}?checkout=cancelled`,
    expires_at: (window + 1) * WINDOW_S + PAGE_S,
  } satisfies Stripe.Checkout.SessionCreateParams;
}

/** The same for a second click, another one once something about it is new. */
function keyOf(params: object, returned: number): string {
  return `checkout:${createHash('sha256')
    .update(JSON.stringify([params, returned]))
    .digest('hex')}`;
}

const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError;

/** Whether the same call may well succeed in a moment. */
const isPassing = ({ type }: Stripe.errors.StripeError): boolean =>
  ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError'].includes(type);

/** Whether Stripe answered, and not that the call came too often or beside the same one: then it stored no answer. */
const isDefinite = ({ statusCode }: Stripe.errors.StripeError): boolean =>
  statusCode !== undefined && statusCode !== 409 && statusCode !== 429;

/** What may be logged of a failure: nothing that was sent, and no part of a key. */
const summaryOf = ({ type, code, param, statusCode, requestId }: Stripe.errors.StripeError) => ({
  type,
  code,
  param,
  status: statusCode,
  request: requestId,
});
