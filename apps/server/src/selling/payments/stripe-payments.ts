import { createHash, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { Retries } from '../../jobs/jobs.ts';
import type { Logger } from '../../log.ts';
import { deleteCheckout, findNeedlessCheckouts, noteCheckout } from './payments.store.ts';
import type { Checkout, Payments } from './payments.ts';

/** The Stripe API version of the pinned SDK. */
const API_VERSION = '2026-10-28.endive';
/** The timeout of a request to Stripe, which usually answers in less than a second. Milliseconds. */
const TIMEOUT_MS = 8_000;
const NETWORK_RETRIES = 2;
/** The maximum age of an event's signature in seconds. */
const TOLERANCE_S = 300;
/** The maximum time for which a fan gets the same payment page again for the same offer. Seconds. */
const WINDOW_S = 10 * 60;
/** The minimum lifetime of a page; Stripe requires half an hour. Seconds. */
const PAGE_S = 35 * 60;

export interface StripeSettings {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Another server with Stripe's API; Stripe's own by default. */
  readonly server?: { readonly host: string; readonly port: number; readonly protocol: 'http' };
  /** How to retry the refund of a payment that bought nothing; for about three days by default. */
  readonly refundRetries?: Retries;
}

interface StripeDependencies {
  readonly db: Database;
  /** The fan client's public URL. */
  readonly fanClient: () => string;
  readonly log: Logger;
}

export interface StripePayments extends Omit<Payments, 'queueRefund'> {
  /** Returns the event in a webhook's body. @throws AppError 400 unless Stripe signed it recently */
  readEvent(body: Buffer, signature: string | undefined): Stripe.Event;
  /**
   * Refunds a whole payment. A repeated call has no further effect.
   * @param refusals how often Stripe definitely refused this refund. Part of the idempotency key, because Stripe replays a stored
   * failure for the same key
   * @returns false for a definite refusal; true when nothing is left to refund
   * @throws when the outcome is unknown and the same key has to be used again
   */
  refund(paymentIntent: string, reason: string, refusals: number): Promise<boolean>;
}

/** Takes payments through Stripe Checkout. Fans pay on Stripe's pages, so card numbers never reach this server. */
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

  /** Creates a checkout session. Retries with another idempotency key if Stripe only replays an earlier failure. */
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
        const { id, url } = await createSession(params, keyOf(params, checkout.attempt));
        if (url === null) throw new AppError('payment_unavailable');
        const { fan, offer } = checkout;
        if (offer !== null) await noteCheckout(db, id, fan.id, offer);
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
          // The checkout was already paid or expired.
          log.info({ checkout: id, stripe: summaryOf(error) }, 'Stripe did not expire a checkout');
        }
        await deleteCheckout(db, id);
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
        // Already refunded in the dashboard, or disputed by the fan's bank.
        if (error.code === 'charge_already_refunded' || error.code === 'charge_disputed')
          return true;
        if (isDefinite(error)) return false;
        throw error;
      }
    },
  };
}

function sessionParams(checkout: Checkout, fanClient: string) {
  const { fan, item, title, price_cents } = checkout;
  // Identifies our payments among the account's other payments, and the item that was paid for.
  const metadata = { creator: fan.creator_id, fan: fan.external_id, ...item };
  const window = Math.floor(Date.now() / 1000 / WINDOW_S);
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: price_cents, product_data: { name: title } },
      },
    ],
    // Charges the offer's price in dollars, whatever the account's settings are.
    adaptive_pricing: { enabled: false },
    client_reference_id: fan.external_id,
    metadata,
    // Shown with the payment in Stripe's dashboard.
    payment_intent_data: { metadata },
    success_url: `${fanClient}?checkout=paid`,
    cancel_url: `${fanClient}?checkout=cancelled`,
    expires_at: (window + 1) * WINDOW_S + PAGE_S,
  } satisfies Stripe.Checkout.SessionCreateParams;
}

/** Returns the same idempotency key for a second click, and a different key once any parameter changes. */
function keyOf(params: object, attempt: number | string): string {
  return `checkout:${createHash('sha256')
    .update(JSON.stringify([params, attempt]))
    .digest('hex')}`;
}

const isStripeError = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError;

/** Returns whether a retry may succeed soon. */
const isPassing = ({ type }: Stripe.errors.StripeError): boolean =>
  ['StripeConnectionError', 'StripeAPIError', 'StripeRateLimitError'].includes(type);

/** Returns whether Stripe processed the request and stored the answer; false for a conflict (409) or a rate limit (429). */
const isDefinite = ({ statusCode }: Stripe.errors.StripeError): boolean =>
  statusCode !== undefined && statusCode !== 409 && statusCode !== 429;

/** Returns the parts of a failure that may be logged: nothing that we sent, and no part of a key. */
const summaryOf = ({ type, code, param, statusCode, requestId }: Stripe.errors.StripeError) => ({
  type,
  code,
  param,
  status: statusCode,
  request: requestId,
});
