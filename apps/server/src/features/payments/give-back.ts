import type { Database } from '../../db/database.ts';
import type { Jobs, Retries } from '../../jobs/jobs.ts';
import type { Logger } from '../../log.ts';
import type { StripePayments } from './stripe-payments.ts';

/** Three days: money that is not ours goes back even if Stripe, or our account there, is out of order for a while. */
export const GIVE_BACK_RETRIES: Retries = { attempts: 80, firstPause: 5, longestPause: 60 * 60 };

interface GiveBackJob {
  readonly payment_intent: string;
  /** An error's code, as a word for why. */
  readonly reason: string;
}

interface GiveBackDependencies {
  readonly db: Database;
  readonly jobs: Jobs;
  readonly stripe: Pick<StripePayments, 'giveBack'>;
  readonly log: Logger;
  readonly retries: Retries;
}

/** Asks for a payment to be given back, which is then on disk and happens, sooner or later. */
export type GiveBack = (paymentIntent: string, reason: string) => Promise<void>;

/** The queue of payments for which there is nothing to give. */
export async function defineGiveBack(dependencies: GiveBackDependencies): Promise<GiveBack> {
  const { db, jobs, stripe, log, retries } = dependencies;
  const queue = await jobs.define<GiveBackJob>({
    name: 'payments-given-back',
    concurrency: 1,
    retries,
    run: ({ payment_intent, reason }) => stripe.giveBack(payment_intent, reason),
    async gaveUp({ payment_intent, reason }) {
      log.error(
        { payment: payment_intent, reason },
        'a payment that bought nothing could not be given back: please refund it at Stripe',
      );
    },
  });
  return async (paymentIntent, reason) => {
    log.warn({ payment: paymentIntent, reason }, 'a payment bought nothing and is given back');
    await db.kysely
      .transaction()
      .execute((tx) => queue.add(tx, [{ payment_intent: paymentIntent, reason }]));
    queue.wake();
  };
}
