import type { PaymentProvider } from '@stagedoor/contract/platform/fan-app';
import type { Tx } from '../../db/tables.ts';

/** Queues a refund through Stripe, once per payment. When the promise resolves, the refund is stored and will be retried if it fails. */
export type QueueRefund = (
  paymentIntent: string,
  reason: string,
  attachmentId: string,
  /** Undefined if no admin requested the refund. */
  request?: {
    readonly adminId: string;
    /** Stores the request in the same transaction. @returns false if a refund was requested before; then nothing happens */
    note(tx: Tx): Promise<boolean>;
  },
) => Promise<void>;

/** An offer or a tip that a fan is about to pay for. */
export interface Checkout {
  readonly sessionId: string;
  readonly fan: {
    readonly id: string;
    /** The platform's own id for the fan. */
    readonly external_id: string;
    readonly creator_id: string;
  };
  /** Identifies the paid item for the payment page: `message_id` and `attachment_id` of an offer, or `tip` and its `message`. */
  readonly item: Readonly<Record<string, string>>;
  /** Null for a tip. */
  readonly offer: { readonly product_id: string; readonly attachment_id: string } | null;
  readonly title: string;
  readonly price_cents: number;
  /** Differs when a fan pays for the same item again (after a refund, or as another tip), so that a new page opens. */
  readonly attempt: number | string;
}

const STRIPE = 'stripe:';

export const stripeReferenceOf = (paymentIntent: string): string => STRIPE + paymentIntent;

/** Returns Stripe's id of a recorded payment; null if it was not paid through Stripe. */
export const stripePaymentOf = (reference: string): string | null =>
  reference.startsWith(STRIPE) ? reference.slice(STRIPE.length) : null;

/** A payment provider, chosen for the whole installation at startup. */
export interface Payments {
  readonly provider: PaymentProvider;
  /**
   * @returns the payment page; null if the client pays by other means
   * @throws AppError 409 `payment_unavailable` when the provider refuses the checkout, 503 when the provider can't be reached
   */
  pageFor(checkout: Checkout): Promise<string | null>;
  /** Expires open checkouts for products that the fan already owns, and for unsent offers; null if the provider has none. */
  readonly expireNeedless: (() => Promise<void>) | null;
  /** Refunds a payment through Stripe; null with another provider. */
  readonly queueRefund: QueueRefund | null;
  /** Whether a card number typed into the client is accepted; null if the client doesn't take cards. */
  readonly acceptsCard: ((number: string) => boolean) | null;
}
