import { createHash } from 'node:crypto';
import type { Purchase, Tip } from '@stagedoor/contract/platform/platform';
import { toCents, toUsd } from '@stagedoor/contract/selling/cents';
import { isUuid } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import { requireFan } from '../../fans/fans/fans.store.ts';
import type { TipsService } from '../tips/tips.service.ts';
import * as store from './purchases.store.ts';

export interface PurchasesDependencies extends Core {
  /** Emits every message that carries the product, as the fan sees it now. */
  readonly showProduct: (ref: ProductRef) => Promise<void>;
  readonly tips: Pick<TipsService, 'refund'>;
  /** Called after each sale; `amount` in USD. */
  readonly sold: (conversationId: string, messageId: string, amount: number) => void;
}

/** The ids that identify a product in a conversation's events. */
export interface ProductRef {
  readonly conversation_id: string;
  readonly product_id: string;
}

export type PurchasesService = ReturnType<typeof createPurchasesService>;

/** A reported sale; `amount` in USD. */
interface Sale {
  /** The platform's own id for the fan. */
  readonly fan: string;
  readonly message_id: string;
  readonly attachment_id: string;
  readonly amount: number;
  readonly payment_reference: string;
  readonly purchased_at?: string | undefined;
}

/** The origin of a report. `notifyPlatform`: send the platform a webhook, because the report came from elsewhere. */
interface Report {
  readonly notifyPlatform: boolean;
  /** The admin who requested the refund, for the audit log. */
  readonly adminId?: string;
}

/** Manages fans' purchases. A payment counts once, even if it is reported repeatedly or concurrently. */
export function createPurchasesService({
  db,
  publish,
  outbox,
  showProduct,
  webhooks,
  sold,
  tips,
}: PurchasesDependencies) {
  /** Returns the purchase already recorded for this payment, or null. @throws AppError 409 `idempotency_conflict` */
  async function recorded(sale: Sale, payloadHash: Buffer): Promise<Purchase | null> {
    const found = await store.findPurchase(db, sale.payment_reference);
    if (found === null) return null;
    if (found.payloadHash.equals(payloadHash)) return found.purchase;
    throw errors.paymentReused();
  }

  /** @throws AppError 404 for the fan, the message or the attachment; 422 `amount_mismatch` */
  async function offered(sale: Sale): Promise<string> {
    const fan = await requireFan(db, sale.fan);
    const offer = await offerTo(fan.id, sale);
    if (offer.price_cents !== toCents(sale.amount)) {
      throw new errors.AppError('amount_mismatch', {
        message: `The price of this message is ${toUsd(offer.price_cents).toFixed(2)} USD`,
      });
    }
    return offer.attachment_id;
  }

  /** Returns the current state of an offer to a fan. @throws AppError 404 for the message or the attachment */
  async function offerTo(
    fanId: string,
    { message_id, attachment_id }: Pick<Sale, 'message_id' | 'attachment_id'>,
  ): Promise<store.OfferState> {
    if (!isUuid(message_id)) throw errors.messageNotFound();
    const id = isUuid(attachment_id) ? attachment_id : null;
    const offer = await store.findOfferState(db, fanId, message_id, id);
    if (offer === 'no message') throw errors.messageNotFound();
    if (offer === null) throw errors.attachmentNotFound();
    return offer;
  }

  /** Emits to staff first, because the fan's events contain whole messages, which have to be read from the database. */
  const emitting =
    <Event extends ProductRef>(toStaff: (event: Event) => void) =>
    async (event: Event): Promise<void> => {
      toStaff(event);
      await showProduct(event);
    };
  const emitSale = emitting(publish.purchaseRecorded);
  const emitRefund = emitting(publish.purchaseRefunded);

  /** Refunds a recorded sale. @returns the change; the sale itself if it was refunded before; null if the sale doesn't exist */
  async function refundSale(
    refund: Parameters<typeof store.refundPurchase>[1],
  ): Promise<store.PurchaseChange<'refunded'> | Purchase | null> {
    const change = await store.refundPurchase(db, refund);
    if (change !== null) return change;
    const found = await store.findPurchase(db, refund.paymentReference);
    // The sale was recorded after the attempt above, so try again.
    return found?.purchase.refunded_at === null ? refundSale(refund) : (found?.purchase ?? null);
  }

  return {
    offerTo,

    /**
     * Records a sale, which unlocks every offer of the product for the fan.
     * @throws AppError 404 for the fan, the message or the attachment; 409 `already_purchased` if the fan bought through this
     * offer, `already_owned` if through another offer, or `idempotency_conflict`; 422 `amount_mismatch`
     */
    async record(
      sale: Sale,
      { notifyPlatform }: Report,
    ): Promise<{ purchase: Purchase; created: boolean }> {
      const payloadHash = hashOf(sale);
      const before = await recorded(sale, payloadHash);
      if (before !== null) return { purchase: before, created: false };
      const change = await store.insertPurchase(db, {
        attachmentId: await offered(sale),
        paymentReference: sale.payment_reference,
        payloadHash,
        purchasedAt: sale.purchased_at,
        notifyPlatform,
      });
      if (change === null) throw errors.messageNotFound();
      if (typeof change === 'string') {
        const meanwhile = await recorded(sale, payloadHash);
        if (meanwhile === null && change === 'used') throw errors.paymentReused();
        if (meanwhile === null)
          throw new errors.AppError(change === 'owned' ? 'already_owned' : 'already_purchased');
        return { purchase: meanwhile, created: false };
      }
      if (notifyPlatform) webhooks.wake();
      const { purchase, queued } = change;
      sold(change.conversationId, purchase.message_id, purchase.amount);
      if (queued !== null) void outbox.emit([queued.outboxId], () => emitSale(queued.event));
      return { purchase, created: true };
    },

    /**
     * Refunds a sale or a tip. Refunding a sale locks the product, unless the fan paid for it twice. A retry changes nothing.
     * @throws AppError 404 `purchase_not_found`
     */
    async refund(
      paymentReference: string,
      refundedAt: string | undefined,
      { notifyPlatform, adminId }: Report,
    ): Promise<Purchase | Tip> {
      const change = await refundSale({
        paymentReference,
        refundedAt,
        notifyPlatform,
        adminId,
      });
      if (change === null) {
        const tip = await tips.refund(paymentReference, refundedAt, { notifyPlatform });
        if (tip === null) throw errors.purchaseNotFound();
        return tip;
      }
      if (!('purchase' in change)) return change;
      if (notifyPlatform) webhooks.wake();
      const { purchase, queued } = change;
      if (queued !== null) void outbox.emit([queued.outboxId], () => emitRefund(queued.event));
      return purchase;
    },

    /** Re-emits events that the originating node failed to emit. */
    reemitters: { purchase_recorded: emitSale, purchase_refunded: emitRefund },
  };
}

/** Returns a hash that is equal for the same sale. Leaves out the time, because a retry of a report may carry a new one. */
function hashOf({ fan, message_id, attachment_id, amount }: Sale): Buffer {
  const payload = [fan, message_id, attachment_id, toCents(amount)];
  return createHash('sha256').update(JSON.stringify(payload)).digest();
}
