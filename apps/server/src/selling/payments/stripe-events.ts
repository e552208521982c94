import { toUsd } from '@stagedoor/contract/selling/cents';
import type Stripe from 'stripe';
import type { Core } from '../../domain.ts';
import { AppError } from '../../errors.ts';
import { findCreator } from '../../team/creator/creator.store.ts';
import { type QueueRefund, stripeReferenceOf } from './payments.ts';
import type { Settlements } from './settlements.ts';

/** Error codes of payments that can never be recorded as a sale. */
const UNRECORDABLE: ReadonlySet<string> = new Set([
  'fan_not_found',
  'message_not_found',
  'attachment_not_found',
  'amount_mismatch',
  'already_purchased',
  'already_owned',
]);

const idOf = (object: string | { readonly id: string } | null): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

/**
 * Creates the handler of Stripe events. Events may be repeated and arrive in any order. Events about payments that aren't ours
 * change nothing.
 * @throws only database errors, so that Stripe sends the event again
 */
export function stripeEventHandler(
  { db, log }: Core,
  settlements: Settlements,
  queueRefund: QueueRefund,
): (event: Stripe.Event) => Promise<void> {
  /** Returns whether this installation requested the payment. A Stripe account may serve others, too. */
  async function isOurs(metadata: Stripe.Metadata | null): Promise<boolean> {
    return metadata?.creator === (await findCreator(db.kysely)).id;
  }

  async function paid(session: Stripe.Checkout.Session, at: string): Promise<void> {
    const payment = idOf(session.payment_intent);
    // An unpaid session, such as a bank transfer, gets another event once it is paid.
    if (session.payment_status !== 'paid' || payment === null) return;
    if (!(await isOurs(session.metadata))) return;
    const { fan = '', message_id = '', attachment_id = '', tip, message } = session.metadata ?? {};
    try {
      if (session.currency !== 'usd') throw new AppError('amount_mismatch');
      const amount = toUsd(session.amount_total ?? 0);
      const paid = { fan, amount, payment_reference: stripeReferenceOf(payment) };
      await settlements.paid(
        tip === undefined
          ? { ...paid, message_id, attachment_id, purchased_at: at }
          : { ...paid, message, tipped_at: at },
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (UNRECORDABLE.has(error.code)) await queueRefund(payment, error.code, attachment_id);
      // The platform recorded this payment for another sale; an operator has to look into it.
      else log.error({ payment, code: error.code }, 'a payment could not be recorded');
    }
  }

  return async (event) => {
    const at = new Date(event.created * 1000).toISOString();
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        return paid(event.data.object, at);
      case 'charge.refunded': {
        const { refunded, payment_intent } = event.data.object;
        const payment = idOf(payment_intent);
        // After a partial refund the fan keeps the product. For payments from elsewhere, the stored refund has no effect.
        if (!refunded || payment === null) return;
        return settlements.returned(stripeReferenceOf(payment), at);
      }
      // Opening a dispute moves no money, so `charge.dispute.created` is ignored.
      case 'charge.dispute.funds_withdrawn': {
        const payment = idOf(event.data.object.payment_intent);
        if (payment === null) return;
        log.warn({ payment }, 'a bank withdrew a disputed payment');
        return settlements.returned(stripeReferenceOf(payment), at);
      }
      default:
        return;
    }
  };
}
