import type { Purchase } from '@stagedoor/contract/platform';
import { type Database, type Statement, violates } from '../../db/database.ts';
import { WEBHOOK_COLUMNS, WEBHOOK_IS_SET } from '../../db/webhook-events.ts';
import { toUsd } from '../products/cents.ts';

/** What a message asks for one of its attachments. */
export interface Offer {
  readonly attachment_id: string;
  readonly price_cents: number;
}

const offerStatement: Statement = {
  name: 'purchases_offer',
  text: `select s.attachment_id, s.price_cents
    from conversations c join messages m on m.conversation_id = c.id and m.id = $2
    left join product_sends s on s.message_id = m.id and s.attachment_id = $3
    where c.fan_id = $1`,
};

/**
 * An offer that was made to a fan. It never changes.
 * @param attachmentId a UUID, as are the others; null finds no offer
 * @returns `no message` when the fan's conversation has no such message; null when that message does not sell such a thing
 */
export async function findOffer(
  db: Database,
  fanId: string,
  messageId: string,
  attachmentId: string | null,
): Promise<Offer | 'no message' | null> {
  const [row] = await db.run<Offer | { attachment_id: null }>(offerStatement, [
    fanId,
    messageId,
    attachmentId,
  ]);
  if (row === undefined) return 'no message';
  return row.attachment_id === null ? null : row;
}

/** What a message offers, as who is about to pay for it needs it. */
export interface OfferState extends Offer {
  readonly title: string;
  /** Whether the fan has it already. */
  readonly held: boolean;
  /** Payments for it that were given back. */
  readonly returned: number;
}

const stateStatement: Statement = {
  name: 'purchases_offer_state',
  text: `select offered.attachment_id, offered.price_cents, offered.title, bought.held, bought.returned
    from conversations c join messages m on m.conversation_id = c.id and m.id = $2
    left join lateral (
      select s.attachment_id, s.price_cents, a->'product'->>'title' as title
      from product_sends s join jsonb_array_elements(m.attachments) a on a->>'id' = s.attachment_id::text
      where s.message_id = m.id and s.attachment_id = $3
    ) offered on true
    left join lateral (
      select coalesce(bool_or(p.refunded_at is null), false) as held, count(p.refunded_at)::int as returned
      from purchases p where p.message_id = m.id and p.attachment_id = offered.attachment_id
    ) bought on true
    where c.fan_id = $1`,
};

/** As {@link findOffer}, with what became of the offer. */
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

interface PurchaseRow {
  readonly id: string;
  readonly fan: string;
  readonly message_id: string;
  readonly attachment_id: string;
  readonly conversation_id: string;
  readonly amount_cents: number;
  readonly payment_reference: string;
  readonly payload_hash: Buffer;
  readonly purchased_at: Date;
  readonly refunded_at: Date | null;
}

/** A fan who was erased has no id of the platform's any more; what they paid stays. */
const COLUMNS = `p.id, coalesce(f.external_id, 'erased') as fan, p.message_id, p.attachment_id, p.conversation_id,
  p.amount_cents, p.payment_reference, p.payload_hash, p.purchased_at, p.refunded_at`;

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

/** The purchase of a payment, with what tells whether it is asked for again in the same words. */
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

/** A purchase that was stored or taken back a moment ago, and its event. */
export interface PurchaseChange {
  readonly purchase: Purchase;
  readonly conversationId: string;
  /** The conversation's, after the change, and the event's place in the outbox; null when the fan was erased meanwhile. */
  readonly told: { readonly version: number; readonly outboxId: number } | null;
}

/** What distinguishes one change of a purchase from the other. */
interface Change {
  /** A statement that returns the purchase's columns. */
  readonly sql: string;
  readonly event: 'purchase_recorded' | 'purchase_refunded';
  readonly webhook: 'purchase.recorded' | 'purchase.refunded';
  /** What it adds to how often the product was bought. */
  readonly sales: '+ 1' | '- 1';
  /** Further fields of the event. */
  readonly extra?: string;
}

/**
 * What every change of a purchase does beside it, in the same statement: the product's count, the conversation's version,
 * and the event; and the webhook, for what the platform did not report.
 */
const withEvents = ({ sql, event, webhook, sales, extra = '' }: Change, tell: boolean): string => `
  with p as (${sql} returning *),
  touched as (
    update conversations c set version = version + 1 from p where c.id = p.conversation_id returning c.version
  ), counted as (
    -- The conversation is locked before the product, as sends do: two that wait for each other would both fail.
    update products set times_purchased = times_purchased ${sales} from p
    where products.id = p.product_id and (select count(*) from touched) >= 0
  ), ${tell ? hooked(webhook) : ''} queued as (
    insert into outbox (event, payload)
    select '${event}', jsonb_build_object(
      'conversation_id', p.conversation_id, 'message_id', p.message_id, 'attachment_id', p.attachment_id,
      'amount', p.amount_cents / 100.0, 'version', touched.version ${extra}
    ) from p, touched returning id
  )
  select ${COLUMNS}, touched.version, queued.id as outbox_id
  from p left join fans f on f.id = p.fan_id left join touched on true left join queued on true`;

/** Tells the platform, in the order of the conversation, whose row is locked. */
const hooked = (type: Change['webhook']): string => `hooked as (
    insert into webhook_events (${WEBHOOK_COLUMNS})
    select '${type}', p.conversation_id, p.conversation_id::text, jsonb_build_object('purchase_id', p.id)
    from p, touched where ${WEBHOOK_IS_SET}
  ),`;

/** One for what the platform reported, and one for what it is to be told. */
const statements = (name: string, change: Change) => ({
  reported: { name, text: withEvents(change, false) } satisfies Statement,
  told: { name: `${name}_and_tell`, text: withEvents(change, true) } satisfies Statement,
});

/** The admin who gets the credit is who sent the message. */
const insertStatements = statements('purchases_insert', {
  sql: `insert into purchases
      (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents, payment_reference,
        payload_hash, purchased_at)
    select attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, price_cents, $2, $3, $4::text::timestamptz
    from product_sends where attachment_id = $1`,
  event: 'purchase_recorded',
  webhook: 'purchase.recorded',
  sales: '+ 1',
  extra: `, 'purchased_at', $4::text`,
});

const refundStatements = statements('purchases_refund', {
  sql: 'update purchases set refunded_at = $2 where payment_reference = $1 and refunded_at is null',
  event: 'purchase_refunded',
  webhook: 'purchase.refunded',
  sales: '- 1',
});

interface ChangeRow extends PurchaseRow {
  readonly version: number | null;
  readonly outbox_id: number | null;
}

function changeOf(row: ChangeRow): PurchaseChange {
  const { version, outbox_id: outboxId } = row;
  return {
    purchase: present(row),
    conversationId: row.conversation_id,
    told: version === null || outboxId === null ? null : { version, outboxId },
  };
}

/**
 * Stores the sale of an offer at its price.
 * @param purchasedAt as the API writes instants
 * @returns `taken` when the payment was recorded before or the fan holds the thing already, and then nothing changed; null
 * when the offer is gone
 */
export async function insertPurchase(
  db: Database,
  sale: {
    readonly attachmentId: string;
    readonly paymentReference: string;
    readonly payloadHash: Buffer;
    readonly purchasedAt: string;
    readonly tellPlatform: boolean;
  },
): Promise<PurchaseChange | 'taken' | null> {
  try {
    const [row] = await db.run<ChangeRow>(
      insertStatements[sale.tellPlatform ? 'told' : 'reported'],
      [sale.attachmentId, sale.paymentReference, sale.payloadHash, sale.purchasedAt],
    );
    return row ? changeOf(row) : null;
  } catch (error) {
    // The constraints, not a look-up before, are what keep two at once apart; the failed statement left nothing.
    const taken =
      violates(error, 'purchases_payment_reference_key') || violates(error, 'purchases_held');
    if (taken) return 'taken';
    throw error;
  }
}

/** @returns null when there is no such purchase, or it was taken back before */
export async function refundPurchase(
  db: Database,
  refund: {
    readonly paymentReference: string;
    /** As the API writes instants. */
    readonly refundedAt: string;
    readonly tellPlatform: boolean;
  },
): Promise<PurchaseChange | null> {
  const [row] = await db.run<ChangeRow>(
    refundStatements[refund.tellPlatform ? 'told' : 'reported'],
    [refund.paymentReference, refund.refundedAt],
  );
  return row ? changeOf(row) : null;
}
