import { writeAudit } from '../../db/audit.ts';
import { isUuid } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Retries } from '../../jobs/jobs.ts';
import { withdrawRefundRequest } from './double-payments.store.ts';
import { countRefusals, noteGiveBack, noteRefusal } from './payments.store.ts';
import { type QueueRefund, stripeReferenceOf } from './payments.ts';
import type { StripePayments } from './stripe-payments.ts';

/** Retries for about three days, so that refunds succeed even if Stripe or our account there is unavailable for a while. */
export const REFUND_RETRIES: Retries = { attempts: 80, firstPause: 5, longestPause: 60 * 60 };

interface RefundJob {
  readonly payment_intent: string;
  /** An error code that gives the reason. */
  readonly reason: string;
}

/** Defines the queue of refunds for payments that bought nothing. */
export async function defineRefunds(
  { db, jobs, log }: Core,
  stripe: Pick<StripePayments, 'refund'>,
  retries: Retries,
): Promise<QueueRefund> {
  const queue = await jobs.define<RefundJob>({
    name: 'payments-given-back',
    concurrency: 1,
    retries,
    async run({ payment_intent, reason }) {
      const refusals = await countRefusals(db, payment_intent);
      if (await stripe.refund(payment_intent, reason, refusals)) return;
      await noteRefusal(db, payment_intent);
      throw new Error('Stripe refused the refund');
    },
    async gaveUp({ payment_intent, reason }) {
      log.error(
        { payment: payment_intent, reason },
        'a payment that bought nothing could not be refunded. Refund it in Stripe.',
      );
      await withdrawRefundRequest(db, stripeReferenceOf(payment_intent));
    },
  });
  return async (paymentIntent, reason, attachmentId, request) => {
    await db.kysely.transaction().execute(async (tx) => {
      if (!(await (request ? request.note(tx) : noteGiveBack(tx, paymentIntent)))) return;
      log.warn({ payment: paymentIntent, reason }, 'refunding a payment that bought nothing');
      await queue.add(tx, [{ payment_intent: paymentIntent, reason }]);
      if (!isUuid(attachmentId)) return;
      await writeAudit(tx, {
        adminId: request?.adminId ?? null,
        action: 'payment.give_back',
        targetId: attachmentId,
        details: { payment: paymentIntent, reason },
      });
    });
    queue.wake();
  };
}
