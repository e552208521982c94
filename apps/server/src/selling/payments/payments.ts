import type { PaymentProvider } from '@stagedoor/contract/platform/fan-app';
import type { Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';

/** Asks Stripe for a refund, which is then on disk and happens, sooner or later. */
export type GiveBack = (
  paymentIntent: string,
  reason: string,
  /** What it was to buy. */
  attachmentId: string,
  /** Left out where no admin asks for it. */
  request?: {
    readonly adminId: string;
    /** Notes the request in the same transaction. @returns false where it was made before: nothing happens */
    note(tx: Transaction<Tables>): Promise<boolean>;
  },
) => Promise<void>;

/** One thing that a message offers, about to be paid for by its fan. */
export interface Checkout {
  /** The session of the fan client in which it is asked for. */
  readonly sessionId: string;
  readonly fan: {
    readonly id: string;
    /** The platform's own id for the fan. */
    readonly external_id: string;
    readonly creator_id: string;
  };
  readonly message_id: string;
  readonly attachment_id: string;
  readonly product_id: string;
  readonly title: string;
  readonly price_cents: number;
  /** Payments for the product that were refunded: tells a new attempt to buy from the one before. */
  readonly returned: number;
}

const STRIPE = 'stripe:';

/** The reference under which a payment at Stripe is recorded. */
export const stripeReferenceOf = (paymentIntent: string): string => STRIPE + paymentIntent;

/** Stripe's id of a recorded payment; null where it was not paid at Stripe. */
export const stripePaymentOf = (reference: string): string | null =>
  reference.startsWith(STRIPE) ? reference.slice(STRIPE.length) : null;

/** How fans pay: one of several drivers, chosen for the whole installation when it starts. */
export interface Payments {
  readonly provider: PaymentProvider;
  /**
   * @returns the page to pay on; null where the client pays by other means
   * @throws AppError 409 `payment_unavailable` when the provider refuses it, 503 when it can't be reached
   */
  pageFor(checkout: Checkout): Promise<string | null>;
  /** Expires the pages that are open for products which their fans own by now; null where there are no pages to expire. */
  readonly expireNeedless: (() => Promise<void>) | null;
  /** Refunds a payment at Stripe; null where Stripe doesn't take the payments. */
  readonly giveBack: GiveBack | null;
  /** Whether a card is good whose number was typed into the client; null where cards are none of our business. */
  readonly acceptsCard: ((number: string) => boolean) | null;
}
