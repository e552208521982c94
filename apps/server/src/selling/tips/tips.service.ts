import { createHash } from 'node:crypto';
import type { Tip } from '@stagedoor/contract/platform/platform';
import { toCents } from '@stagedoor/contract/selling/cents';
import type { ThreadTip } from '@stagedoor/contract/selling/tips';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import { requireFan } from '../../fans/fans/fans.store.ts';
import * as store from './tips.store.ts';

export type TipsService = ReturnType<typeof createTipsService>;

/** A reported tip; `amount` in USD. */
interface Given {
  /** The platform's own id for the fan. */
  readonly fan: string;
  readonly amount: number;
  readonly message?: string | undefined;
  readonly payment_reference: string;
  readonly tipped_at?: string | undefined;
}

/** The origin of a report. `notifyPlatform`: send the platform a webhook, because the report came from elsewhere. */
interface Report {
  readonly notifyPlatform: boolean;
}

/** Manages fans' tips. A payment counts once, even if it is reported repeatedly or concurrently. */
export function createTipsService({ db, publish, outbox, webhooks }: Core) {
  /** Returns the tip already recorded for this payment, or null. @throws AppError 409 `idempotency_conflict` */
  async function recorded(given: Given, payloadHash: Buffer): Promise<Tip | null> {
    const found = await store.findTip(db, given.payment_reference);
    if (found === null) return null;
    if (found.payloadHash.equals(payloadHash)) return found.tip;
    throw errors.paymentReused();
  }

  function emitChange(
    { queued }: store.TipChange,
    emit: typeof publish.tipRecorded,
    { notifyPlatform }: Report,
  ): void {
    if (notifyPlatform) webhooks.wake();
    if (queued !== null) void outbox.emit([queued.outboxId], () => emit(queued.event));
  }

  return {
    /**
     * Records a tip.
     * @throws AppError 404 for the fan; 409 `idempotency_conflict`
     */
    async record(given: Given, report: Report): Promise<{ tip: Tip; created: boolean }> {
      const message = textOf(given);
      const payloadHash = hashOf(given);
      const before = await recorded(given, payloadHash);
      if (before !== null) return { tip: before, created: false };
      const fan = await requireFan(db, given.fan);
      const change = await store.insertTip(db, {
        fanId: fan.id,
        amountCents: toCents(given.amount),
        message,
        paymentReference: given.payment_reference,
        payloadHash,
        tippedAt: given.tipped_at,
        ...report,
      });
      if (change === null) throw errors.fanNotFound();
      if (typeof change === 'string') {
        const meanwhile = await recorded(given, payloadHash);
        if (meanwhile === null) throw errors.paymentReused();
        return { tip: meanwhile, created: false };
      }
      emitChange(change, publish.tipRecorded, report);
      return { tip: change.tip, created: true };
    },

    /** Refunds a tip. A retry changes nothing. @returns null if the payment is not a tip */
    async refund(
      paymentReference: string,
      refundedAt: string | undefined,
      report: Report,
    ): Promise<Tip | null> {
      const { notifyPlatform } = report;
      const change = await store.refundTip(db, paymentReference, refundedAt, notifyPlatform);
      if (change === null) {
        const found = await store.findTip(db, paymentReference);
        // The tip was recorded after the attempt above, so try again.
        if (found?.tip.refunded_at === null)
          return this.refund(paymentReference, refundedAt, report);
        return found?.tip ?? null;
      }
      emitChange(change, publish.tipRefunded, report);
      return change.tip;
    },

    /** Re-emits events that the originating node failed to emit. */
    reemitters: { tip_recorded: publish.tipRecorded, tip_refunded: publish.tipRefunded },
  };
}

/** Returns the parts of a tip that both sides see. */
export const inThread = ({ id, amount, message, tipped_at }: Tip): ThreadTip => ({
  id,
  amount,
  message,
  tipped_at,
});

const textOf = ({ message }: Given): string | null => message?.trim() || null;

/** Returns a hash that is equal for the same tip. Leaves out the time, because a retry of a report may carry a new one. */
const hashOf = (given: Given): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([given.fan, toCents(given.amount), textOf(given)]))
    .digest();
