import type { Purchase } from '@stagedoor/contract/platform/platform';
import { toUsd } from '@stagedoor/contract/selling/cents';
import { sql } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import {
  changeConversation,
  lockConversationOf,
  lockConversations,
  type QueuedEvent,
} from '../../db/change-conversation.ts';
import { type Database, type Statement, violates } from '../../db/database.ts';
import { isoText } from '../../db/iso-text.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';
import { countPurchase } from '../products/products.store.ts';
import { reportedAt } from '../tips/tips.store.ts';

/** An offer with the details that a payment needs. */
export interface OfferState
  extends Row<'product_sends', 'attachment_id' | 'product_id' | 'price_cents'> {
  readonly title: string;
  /** Whether the fan bought the product through this offer. */
  readonly held: boolean;
  /** Whether the fan owns the product, through any offer. */
  readonly owned: boolean;
  /** The number of the fan's refunded payments for the product. */
  readonly returned: number;
}

const stateStatement: Statement = {
  name: 'purchases_offer_state',
  text: `select offered.*, bought.held, bought.returned,
      exists (select from owned_products o where o.fan_id = c.fan_id and o.product_id = offered.product_id) as owned
    from conversations c join messages m on m.conversation_id = c.id and m.id = $2
    left join lateral (
      select s.attachment_id, s.product_id, s.price_cents, a->'product'->>'title' as title
      from product_sends s join jsonb_array_elements(m.attachments) a on a->>'id' = s.attachment_id::text
      where s.message_id = m.id and s.attachment_id = $3
    ) offered on true
    left join lateral (
      select coalesce(bool_or(p.refunded_at is null and p.attachment_id = offered.attachment_id), false) as held,
        count(p.refunded_at)::int as returned
      from purchases p where p.conversation_id = c.id and p.product_id = offered.product_id
    ) bought on true
    where c.fan_id = $1`,
};

/**
 * Finds an offer that was made to a fan, with its current state.
 * @param attachmentId a UUID, like the other ids; null finds no offer
 * @returns `no message` when the fan's conversation has no such message; null when the message doesn't offer that attachment
 */
export async function findOfferState(
  db: Database,
  fanId: string,
  messageId: string,
  attachmentId: string | null,
): Promise<OfferState | 'no message' | null> {
  const [row] = await db.run<OfferState | { attachment_id: null }>(stateStatement, [
    fanId,
    messageId,
    attachmentId,
  ]);
  if (row === undefined) return 'no message';
  return row.attachment_id === null ? null : row;
}

interface PurchaseRow
  extends Row<
    'purchases',
    | 'id'
    | 'message_id'
    | 'attachment_id'
    | 'product_id'
    | 'conversation_id'
    | 'amount_cents'
    | 'payment_reference'
    | 'payload_hash'
    | 'purchased_at'
    | 'refunded_at'
  > {
  readonly fan: string;
}

/** The purchases of an erased fan stay, without the platform's id for the fan. */
const COLUMNS = `p.id, coalesce(f.external_id, 'erased') as fan, p.message_id, p.attachment_id, p.product_id,
  p.conversation_id, p.amount_cents, p.payment_reference, p.payload_hash, p.purchased_at, p.refunded_at`;

function present(row: PurchaseRow): Purchase {
  return {
    id: row.id,
    fan: row.fan,
    message_id: row.message_id,
    attachment_id: row.attachment_id,
    amount: toUsd(row.amount_cents),
    payment_reference: row.payment_reference,
    purchased_at: row.purchased_at.toISOString(),
    refunded_at: row.refunded_at?.toISOString() ?? null,
  };
}

const findStatement: Statement = {
  name: 'purchases_find',
  text: `select ${COLUMNS} from purchases p left join fans f on f.id = p.fan_id where p.payment_reference = $1`,
};

/** Returns the purchase of a payment, with the hash that identifies a retry. */
export async function findPurchase(
  db: Database,
  paymentReference: string,
): Promise<{ purchase: Purchase; payloadHash: Buffer } | null> {
  const [row] = await db.run<PurchaseRow>(findStatement, [paymentReference]);
  return row ? { purchase: present(row), payloadHash: row.payload_hash } : null;
}

const byIdStatement: Statement = {
  name: 'purchases_by_id',
  text: `select ${COLUMNS} from purchases p left join fans f on f.id = p.fan_id where p.id = $1`,
};

/** @param id a UUID */
export async function findPurchaseById(db: Database, id: string): Promise<Purchase | null> {
  const [row] = await db.run<PurchaseRow>(byIdStatement, [id]);
  return row ? present(row) : null;
}

type What = 'recorded' | 'refunded';

/** A purchase that was just stored or refunded. */
export interface PurchaseChange<W extends What> {
  readonly purchase: Purchase;
  readonly conversationId: string;
  /** Null: the fan was erased meanwhile. */
  readonly queued: QueuedEvent<`purchase_${W}`> | null;
}

/**
 * Stores the effects of a purchase or refund: the product's count, the conversation's version, the event, and the webhook for a
 * change that the platform did not report. Locks the product after the conversation, as sends do.
 */
async function follow<W extends What>(
  tx: Tx,
  id: string,
  what: W,
  notifyPlatform: boolean,
): Promise<PurchaseChange<W>> {
  const { rows } = await sql<PurchaseRow & { owned_since: string | null }>`
    select ${sql.raw(COLUMNS)}, ${sql.raw(isoText('o.purchased_at'))} as owned_since
    from purchases p left join fans f on f.id = p.fan_id
    left join owned_products o on o.fan_id = p.fan_id and o.product_id = p.product_id
    where p.id = ${id}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error(`the purchase ${id} no longer exists`);
  const { conversation_id: conversationId, product_id, owned_since: purchased_at } = row;
  const purchase = present(row);
  const { message_id, attachment_id, amount } = purchase;
  const fields = { message_id, attachment_id, product_id, amount, purchased_at };
  const queued = await changeConversation(tx, conversationId, `purchase_${what}`, fields);
  await countPurchase(tx, product_id, what === 'recorded' ? 1 : -1);
  if (notifyPlatform && queued !== null) {
    const type: `purchase.${What}` = `purchase.${what}`;
    await queueWebhook(tx, { type, conversationId, ref: { purchase_id: id } });
  }
  return { purchase, conversationId, queued };
}

/**
 * Stores the sale of an offer at its price. The admin who sent the message gets the credit.
 * @returns null if the offer no longer exists. If nothing changed: `taken` if the payment was recorded before or the fan already
 * bought through this offer, `owned` if the fan owns the product through another offer, `used` if the payment is a tip
 */
export async function insertPurchase(
  db: Database,
  sale: {
    readonly attachmentId: string;
    readonly paymentReference: string;
    readonly payloadHash: Buffer;
    readonly purchasedAt: string | undefined;
    readonly notifyPlatform: boolean;
  },
): Promise<PurchaseChange<'recorded'> | 'taken' | 'owned' | 'used' | null> {
  const { attachmentId, paymentReference, payloadHash, purchasedAt, notifyPlatform } = sale;
  try {
    return await db.kysely.transaction().execute(async (tx) => {
      // Lock the conversation before changing anything in it, as sends do, so that concurrent sales and refunds are visible.
      await lockConversations(
        tx,
        sql`id = (select conversation_id from product_sends where attachment_id = ${attachmentId})`,
      );
      const { rows } = await sql<Row<'purchases', 'id'>>`
        insert into purchases
          (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents, payment_reference,
            payload_hash, purchased_at, campaign_id)
        select attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, ${paymentReference},
          ${payloadHash}, ${reportedAt(purchasedAt)}, campaign_id
        from product_sends where attachment_id = ${attachmentId} returning id`.execute(tx);
      const [row] = rows;
      return row === undefined ? null : follow(tx, row.id, 'recorded', notifyPlatform);
    });
  } catch (error) {
    // Constraints decide between concurrent sales, because a lookup could race. The failed transaction left nothing behind.
    const taken =
      violates(error, 'purchases_payment_reference_key') || violates(error, 'purchases_held');
    if (taken) return 'taken';
    if (violates(error, 'owned_products_pkey')) return 'owned';
    if (violates(error, 'payment_used_elsewhere')) return 'used';
    throw error;
  }
}

/** Deletes a fan's ownership of products. Their purchases stay. */
export async function deleteOwnedOf(tx: Tx, fanId: string): Promise<void> {
  await tx.deleteFrom('owned_products').where('fan_id', '=', fanId).execute();
}

/** @returns null if there is no such purchase, or it was refunded before */
export function refundPurchase(
  db: Database,
  refund: {
    readonly paymentReference: string;
    readonly refundedAt: string | undefined;
    readonly notifyPlatform: boolean;
    readonly adminId: string | undefined;
  },
): Promise<PurchaseChange<'refunded'> | null> {
  const { paymentReference, refundedAt, notifyPlatform, adminId } = refund;
  return db.kysely.transaction().execute(async (tx) => {
    const conversation = await lockConversationOf(tx, 'purchases', paymentReference);
    const { rows } = await sql<Row<'purchases', 'id' | 'attachment_id'>>`
      update purchases set refunded_at = ${reportedAt(refundedAt)}
      where payment_reference = ${paymentReference} and conversation_id = ${conversation} and refunded_at is null
      returning id, attachment_id`.execute(tx);
    const [row] = rows;
    if (row === undefined) return null;
    if (adminId !== undefined) {
      await writeAudit(tx, {
        adminId,
        action: 'payment.refund',
        targetId: row.attachment_id,
        details: { payment: paymentReference },
      });
    }
    return follow(tx, row.id, 'refunded', notifyPlatform);
  });
}
