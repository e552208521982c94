import { createHash } from 'node:crypto';
import type { Purchase } from '@stagedoor/contract/platform/platform';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import { toCents, toUsd } from '@stagedoor/contract/selling/cents';
import { type Database, isUuid } from '../../db/database.ts';
import {
  AppError,
  attachmentNotFound,
  fanNotFound,
  idempotencyConflict,
  messageNotFound,
  purchaseNotFound,
} from '../../errors.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import type { Publisher } from '../../realtime/publish.ts';
import {
  findOffer,
  findOfferState,
  findPurchase,
  insertPurchase,
  type OfferState,
  type PurchaseChange,
  refundPurchase,
} from './purchases.store.ts';

export interface PurchasesDependencies {
  readonly db: Database;
  /** A fan by the platform's own id. */
  readonly findFan: (externalId: string) => Promise<{ readonly id: string } | null>;
  readonly publish: Publisher;
  readonly outbox: Pick<Outbox, 'emit'>;
  /** Emits to the fan every message that carries the product. */
  readonly showProduct: (place: { conversation_id: string; product_id: string }) => Promise<void>;
  readonly webhooks: { wake(): void };
  /** Hears of each sale; `amount` in USD. */
  readonly sold: (conversationId: string, messageId: string, amount: number) => void;
}

export type PurchasesService = ReturnType<typeof createPurchasesService>;

/** A sale as it is reported; `amount` in USD. */
interface Sale {
  /** The platform's own id for the fan. */
  readonly fan: string;
  readonly message_id: string;
  readonly attachment_id: string;
  readonly amount: number;
  readonly payment_reference: string;
  readonly purchased_at?: string | undefined;
}

/** Where a report comes from: whether the platform, which is told of what it did not report itself, is to hear of it. */
interface Report {
  readonly tellPlatform: boolean;
  /** The admin who asked for it, for the audit log. */
  readonly adminId?: string;
}

/** What fans bought. A payment counts once, however often and however parallel it is reported. */
export function createPurchasesService({
  db,
  findFan,
  publish,
  outbox,
  showProduct,
  webhooks,
  sold,
}: PurchasesDependencies) {
  /** What was recorded for this payment before; null for a new one. @throws AppError 409 `idempotency_conflict` */
  async function recorded(sale: Sale, payloadHash: Buffer): Promise<Purchase | null> {
    const found = await findPurchase(db, sale.payment_reference);
    if (found === null) return null;
    if (found.payloadHash.equals(payloadHash)) return found.purchase;
    throw idempotencyConflict('This payment reference was already used for something else');
  }

  /** @throws AppError 404 for the fan, the message or the attachment; 422 `amount_mismatch` */
  async function offered(sale: Sale): Promise<string> {
    const fan = await findFan(sale.fan);
    if (fan === null) throw fanNotFound();
    const offer = await found(findOffer, fan.id, sale);
    if (offer.price_cents !== toCents(sale.amount)) {
      throw new AppError('amount_mismatch', {
        message: `The price of this message is ${toUsd(offer.price_cents).toFixed(2)} USD`,
      });
    }
    return offer.attachment_id;
  }

  /** @throws AppError 404 for the message or the attachment */
  async function found<O extends object>(
    find: (...of: [Database, string, string, string | null]) => Promise<O | 'no message' | null>,
    fanId: string,
    { message_id, attachment_id }: Pick<Sale, 'message_id' | 'attachment_id'>,
  ): Promise<O> {
    if (!isUuid(message_id)) throw messageNotFound();
    const offer = await find(db, fanId, message_id, isUuid(attachment_id) ? attachment_id : null);
    if (offer === 'no message') throw messageNotFound();
    if (offer === null) throw attachmentNotFound();
    return offer;
  }

  /** What an event says of a purchase, whichever way it went. */
  const eventOf = (
    { conversationId, productId, purchase: { message_id, attachment_id, amount } }: PurchaseChange,
    version: number,
  ) => ({
    conversation_id: conversationId,
    message_id,
    attachment_id,
    product_id: productId,
    amount,
    version,
  });

  /** To staff at once; the fan is shown whole messages, which have to be read for it. */
  async function emitSale(event: ServerEvent<'purchase_recorded'>): Promise<void> {
    publish.purchaseRecorded(event);
    await showProduct(event);
  }

  /** As {@link emitSale}. */
  async function emitRefund(event: ServerEvent<'purchase_refunded'>): Promise<void> {
    publish.purchaseRefunded(event);
    await showProduct(event);
  }

  return {
    /** What a message offers to a fan, as it is now. @throws AppError 404 for the message or the attachment */
    offerTo: (
      fanId: string,
      offer: Pick<Sale, 'message_id' | 'attachment_id'>,
    ): Promise<OfferState> => found(findOfferState, fanId, offer),

    /**
     * Records a sale, which opens every offer of the product to its fan.
     * @throws AppError 404 for the fan, the message or the attachment; 409 `already_purchased` where the fan bought by this offer,
     * `already_owned` where by another one, or `idempotency_conflict`; 422 `amount_mismatch`
     */
    async record(
      sale: Sale,
      { tellPlatform }: Report,
    ): Promise<{ purchase: Purchase; created: boolean }> {
      const payloadHash = hashOf(sale);
      const before = await recorded(sale, payloadHash);
      if (before !== null) return { purchase: before, created: false };
      const change = await insertPurchase(db, {
        attachmentId: await offered(sale),
        paymentReference: sale.payment_reference,
        payloadHash,
        purchasedAt: instant(sale.purchased_at),
        tellPlatform,
      });
      if (change === null) throw messageNotFound();
      if (typeof change === 'string') {
        const meanwhile = await recorded(sale, payloadHash);
        if (meanwhile === null)
          throw new AppError(change === 'owned' ? 'already_owned' : 'already_purchased');
        return { purchase: meanwhile, created: false };
      }
      if (tellPlatform) webhooks.wake();
      const { purchase, told } = change;
      sold(change.conversationId, purchase.message_id, purchase.amount);
      if (told !== null) {
        const { purchased_at } = purchase;
        const event = { ...eventOf(change, told.version), purchased_at };
        void outbox.emit([told.outboxId], () => emitSale(event));
      }
      return { purchase, created: true };
    },

    /**
     * Takes a sale back, which locks the product unless another payment for it stands. A second time changes nothing.
     * @throws AppError 404 `purchase_not_found`
     */
    async refund(
      paymentReference: string,
      refundedAt: string | undefined,
      { tellPlatform, adminId }: Report,
    ): Promise<Purchase> {
      const change = await refundPurchase(db, {
        paymentReference,
        refundedAt: instant(refundedAt),
        tellPlatform,
        adminId,
      });
      if (change === null) {
        const found = await findPurchase(db, paymentReference);
        if (found === null) throw purchaseNotFound();
        return found.purchase;
      }
      if (tellPlatform) webhooks.wake();
      if (change.told !== null) {
        const event = {
          ...eventOf(change, change.told.version),
          purchased_at: change.ownedSince,
        };
        void outbox.emit([change.told.outboxId], () => emitRefund(event));
      }
      return change.purchase;
    },

    /** For events whose node did not get to them. */
    reemitters: { purchase_recorded: emitSale, purchase_refunded: emitRefund },
  };
}

/** As the API writes instants; now where none is given. */
const instant = (given: string | undefined): string =>
  (given === undefined ? new Date() : new Date(given)).toISOString();

/**
 * The same for the same sale. When it was is left out: who repeats a report whose answer was lost may well name the moment
 * of the repetition.
 */
function hashOf({ fan, message_id, attachment_id, amount }: Sale): Buffer {
  const payload = [fan, message_id.toLowerCase(), attachment_id.toLowerCase(), toCents(amount)];
  return createHash('sha256').update(JSON.stringify(payload)).digest();
}
