import type { Tip } from '@stagedoor/contract/platform/platform';
import { toUsd } from '@stagedoor/contract/selling/cents';
import { type ThreadTip, TIPS_LISTED } from '@stagedoor/contract/selling/tips';
import { sql } from 'kysely';
import {
  changeConversation,
  lockConversationOf,
  lockConversations,
  type QueuedEvent,
} from '../../db/change-conversation.ts';
import { type Database, type Statement, violates } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';

interface TipRow
  extends Row<
    'tips',
    | 'id'
    | 'conversation_id'
    | 'amount_cents'
    | 'message'
    | 'payment_reference'
    | 'payload_hash'
    | 'tipped_at'
    | 'refunded_at'
  > {
  readonly fan: string;
}

/** The tips of an erased fan stay, without the platform's id for the fan. */
const SELECT = `select t.id, t.conversation_id, t.amount_cents, t.message, t.payment_reference, t.payload_hash, t.tipped_at,
  t.refunded_at, coalesce(f.external_id, 'erased') as fan from tips t left join fans f on f.id = t.fan_id`;

const present = (row: TipRow): Tip => ({
  id: row.id,
  fan: row.fan,
  amount: toUsd(row.amount_cents),
  message: row.message,
  payment_reference: row.payment_reference,
  tipped_at: row.tipped_at.toISOString(),
  refunded_at: row.refunded_at?.toISOString() ?? null,
});

const findStatement: Statement = {
  name: 'tips_find',
  text: `${SELECT} where t.payment_reference = $1`,
};

/** Returns the tip of a payment, with the hash that identifies a retry. */
export async function findTip(
  db: Database,
  paymentReference: string,
): Promise<{ tip: Tip; payloadHash: Buffer } | null> {
  const [row] = await db.run<TipRow>(findStatement, [paymentReference]);
  return row ? { tip: present(row), payloadHash: row.payload_hash } : null;
}

const byIdStatement: Statement = { name: 'tips_by_id', text: `${SELECT} where t.id = $1` };

/** @param id a UUID */
export async function findTipById(db: Database, id: string): Promise<Tip | null> {
  const [row] = await db.run<TipRow>(byIdStatement, [id]);
  return row ? present(row) : null;
}

const listStatement: Statement = {
  name: 'tips_list',
  text: `select id, amount_cents, message, tipped_at from (
      select * from tips where conversation_id = $1 and refunded_at is null order by tipped_at desc, id limit ${TIPS_LISTED}
    ) newest order by tipped_at, id desc`,
};

/** Returns a conversation's newest tips that were not refunded, oldest first. */
export async function findTipsOf(db: Database, conversationId: string): Promise<ThreadTip[]> {
  const rows = await db.run<Row<'tips', 'id' | 'amount_cents' | 'message' | 'tipped_at'>>(
    listStatement,
    [conversationId],
  );
  return rows.map(({ amount_cents, tipped_at, ...row }) => ({
    ...row,
    amount: toUsd(amount_cents),
    tipped_at: tipped_at.toISOString(),
  }));
}

/** A tip that was just stored or refunded. */
export interface TipChange {
  readonly tip: Tip;
  /** Null: the fan was erased meanwhile. */
  readonly queued: QueuedEvent<'tip_recorded' | 'tip_refunded'> | null;
}

/** Stores the effects of a tip or its refund: the conversation's version, the event, and the webhook. */
async function follow(
  tx: Tx,
  id: string,
  what: 'recorded' | 'refunded',
  notifyPlatform: boolean,
): Promise<TipChange> {
  const { rows } = await sql<TipRow>`${sql.raw(SELECT)} where t.id = ${id}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error(`the tip ${id} no longer exists`);
  const tip = present(row);
  const conversationId = row.conversation_id;
  const { amount, message, tipped_at } = tip;
  const fields = { id, amount, message, tipped_at };
  const queued = await changeConversation(tx, conversationId, `tip_${what}`, fields);
  if (notifyPlatform && queued !== null) {
    await queueWebhook(tx, { type: `tip.${what}`, conversationId, ref: { tip_id: id } });
  }
  return { tip, queued };
}

/** Returns SQL for a reported instant in milliseconds, as the API formats it; by default, now by the database's clock. */
export const reportedAt = (given: string | undefined) =>
  given === undefined
    ? sql<Date>`date_trunc('milliseconds', now())`
    : sql<Date>`${new Date(given).toISOString()}::timestamptz`;

/**
 * Stores a tip. Credits the admin who last wrote to the fan in the 24 hours before the tip. Mass messages and unsent messages
 * don't count.
 * @returns null if the fan was erased. If nothing changed: `taken` if the payment was recorded before, `used` if it was a sale
 */
export async function insertTip(
  db: Database,
  tip: {
    readonly fanId: string;
    readonly amountCents: number;
    readonly message: string | null;
    readonly paymentReference: string;
    readonly payloadHash: Buffer;
    readonly tippedAt: string | undefined;
    readonly notifyPlatform: boolean;
  },
): Promise<TipChange | 'taken' | 'used' | null> {
  const { fanId, amountCents, message, paymentReference, payloadHash } = tip;
  const tippedAt = reportedAt(tip.tippedAt);
  try {
    return await db.kysely.transaction().execute(async (tx) => {
      await lockConversations(tx, sql`fan_id = ${fanId}`);
      const { rows } = await sql<Row<'tips', 'id'>>`
        insert into tips
          (conversation_id, fan_id, admin_id, amount_cents, message, payment_reference, payload_hash, tipped_at)
        select c.id, c.fan_id, (
            select m.author_id from messages m
            where m.conversation_id = c.id and not m.from_fan and m.campaign_id is null and m.unsent_at is null
              and m.created_at <= ${tippedAt}
              and m.created_at >= ${tippedAt} - interval '24 hours'
            order by m.seq desc limit 1
          ), ${amountCents}, ${message}, ${paymentReference}, ${payloadHash}, ${tippedAt}
        from conversations c where c.fan_id = ${fanId} returning id`.execute(tx);
      const [row] = rows;
      return row === undefined ? null : follow(tx, row.id, 'recorded', tip.notifyPlatform);
    });
  } catch (error) {
    // Constraints decide between concurrent payments, because a lookup could race. The failed transaction left nothing behind.
    if (violates(error, 'tips_payment_reference_key')) return 'taken';
    if (violates(error, 'payment_used_elsewhere')) return 'used';
    throw error;
  }
}

/** @returns null if there is no such tip, or it was refunded before */
export function refundTip(
  db: Database,
  paymentReference: string,
  refundedAt: string | undefined,
  notifyPlatform: boolean,
): Promise<TipChange | null> {
  return db.kysely.transaction().execute(async (tx) => {
    const conversation = await lockConversationOf(tx, 'tips', paymentReference);
    const { rows } = await sql<Row<'tips', 'id'>>`
      update tips set refunded_at = ${reportedAt(refundedAt)}
      where payment_reference = ${paymentReference} and conversation_id = ${conversation} and refunded_at is null
      returning id`.execute(tx);
    const [row] = rows;
    return row === undefined ? null : follow(tx, row.id, 'refunded', notifyPlatform);
  });
}

/** Deletes the texts that a fan wrote with tips. The tips themselves stay, as figures. */
export async function deleteTipTextsOf(tx: Tx, fanId: string): Promise<void> {
  await tx.updateTable('tips').set({ message: null }).where('fan_id', '=', fanId).execute();
}
