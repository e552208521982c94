import type { PaymentProvider } from '@stagedoor/contract/platform/fan-app';
import type { Tx } from '../../db/tables.ts';

/** Queues a refund by Stripe. Once it resolves, the refund is on disk and will be retried. */
export type QueueRefund = (
  paymentIntent: string,
  reason: string,
  attachmentId: string,
  /** Undefined if no admin requested it. */
  request?: {
    readonly adminId: string;
    /** Stores the request in the same transaction. @returns false if it was made before; then nothing happens */
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
  /** What is paid for, as payment pages get it: `message_id` and `attachment_id` of an offer; `tip` and its `message`. */
  readonly item: Readonly<Record<string, string>>;
  /** Null for a tip. */
  readonly offer: { readonly product_id: string; readonly attachment_id: string } | null;
  readonly title: string;
  readonly price_cents: number;
  /** Changes when the same fan pays for the same again: after a refund, or with another tip. Then a new page opens. */
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
   * @throws AppError 409 `payment_unavailable` when the provider refuses it, 503 when the provider can't be reached
   */
  pageFor(checkout: Checkout): Promise<string | null>;
  /** Expires open checkouts for products that their fans already own, and for unsent offers; null for a provider without checkouts. */
  readonly expireNeedless: (() => Promise<void>) | null;
  /** Refunds a payment through Stripe; null with another provider. */
  readonly queueRefund: QueueRefund | null;
  /** Whether a card number typed into the client is accepted; null if the client doesn't take cards. */
  readonly acceptsCard: ((number: string) => boolean) | null;
}
