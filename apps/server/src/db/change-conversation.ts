import type { ServerEvent, ServerEventName } from '@stagedoor/contract/realtime';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { runIn } from './database.ts';
import { type ConversationTouched, insertEvents } from './outbox-events.ts';
import type { Tx } from './tables.ts';

/**
 * A change to conversations, in SQL. The statement is a single `with` query with these parts in this order: `first`, `before`,
 * `given`, the change, its events, and `after`. Each part can use the parts before it. For example, `given` can mark messages as
 * read, and only their conversations change.
 */
export interface ConversationChange {
  readonly first?: string;
  /**
   * Selects and locks the conversations. Returns their ids and any other columns that the change needs. Must lock in id order, or
   * skip locked rows. By default, selects the conversations with the ids in `$1`.
   */
  readonly before?: string;
  readonly given?: string;
  /** Assignments to the locked row `c`. The version is always raised. */
  readonly set?: string;
  /** A condition on `before` and `c`: only matching conversations change. */
  readonly where?: string;
  readonly event?: Parameters<typeof insertEvents>[0];
  /** jsonb: the event's fields besides `conversation_id` and `version`. */
  readonly payload?: string;
  /** The last part. It can use `changed` (the conversations that changed) and `queued` (their events). */
  readonly after?: string;
  /** The statement's result; by default {@link ConversationTouched}. */
  readonly select?: string;
}

/** The conversations with the ids in `$1`, in the state before the change. */
const BY_ID = `select id, status, claimed_by, unread_count, marked_unread, snoozed_until
  from conversations where id = any($1::uuid[]) order by id for no key update`;

/** Selects the {@link QueuedEvent}s of a change. */
export const QUEUED_EVENT = 'select payload as event, id as "outboxId" from queued';

const CHANGED = `select id as "outboxId", payload->>'conversation_id' as "conversationId" from queued`;

/**
 * Returns the statement that changes conversations: locks them, changes them, raises their versions and queues an event for each.
 * All changes except sends and the unsending of a campaign use it, so that clients miss none of them.
 */
export function conversationChange({
  first,
  before = BY_ID,
  given,
  set,
  where = 'true',
  event = 'conversation_updated',
  payload,
  after,
  select = CHANGED,
}: ConversationChange): string {
  const ids = `jsonb_build_object('conversation_id', changed.id, 'version', changed.version)`;
  const parts = [
    first,
    `before as materialized (${before})`,
    given,
    `changed as (
      update conversations c set ${[set, 'version = c.version + 1'].filter(Boolean).join(', ')}
      from before where c.id = before.id and ${where} returning c.id, c.version, c.unread_count
    )`,
    `queued as (${insertEvents(event, payload ? `${ids} || ${payload}` : ids, 'from changed')})`,
    after,
  ];
  return `with ${parts.filter(Boolean).join(', ')} ${select}`;
}

/** Changes conversations within a transaction. @param values the statement's parameters; by default, `$1` is the ids */
export const changeConversations = <Row = ConversationTouched>(
  tx: Tx,
  values: readonly unknown[],
  change: ConversationChange = {},
): Promise<Row[]> => runIn<Row>(tx, conversationChange(change), values);

/** An event that a transaction queued, with its id in the outbox. */
export interface QueuedEvent<N extends ServerEventName> {
  readonly event: ServerEvent<N>;
  readonly outboxId: number;
}

/**
 * Raises a conversation's version and queues an event about it.
 * @param fields the event's fields besides `conversation_id` and `version`
 * @returns null if there is no such conversation
 */
export async function changeConversation<N extends ServerEventName>(
  tx: Tx,
  id: string,
  event: N,
  fields: Readonly<Record<string, unknown>>,
): Promise<QueuedEvent<N> | null> {
  const [queued] = await changeConversations<QueuedEvent<N>>(tx, [[id], JSON.stringify(fields)], {
    event,
    payload: '$2::jsonb',
    select: QUEUED_EVENT,
  });
  return queued ?? null;
}

/**
 * Locks conversations in id order. Call it before changing anything that a conversation shows.
 * @param which a condition on `conversations`
 * @returns the conversations that match, with their fans
 */
export async function lockConversations(
  tx: Tx,
  which: RawBuilder<SqlBool>,
): Promise<{ readonly id: string; readonly fan_id: string }[]> {
  const { rows } = await sql<{ id: string; fan_id: string }>`
    select id, fan_id from conversations where ${which} order by id for no key update`.execute(tx);
  return rows;
}

/**
 * Locks the conversation of a recorded payment. If it returns null, the payment can be stored right after this call. Don't change
 * it then: its conversation isn't locked, and locking the payment first can cause a deadlock.
 * @returns the conversation's id; null if there is no such payment
 */
export async function lockConversationOf(
  tx: Tx,
  table: 'purchases' | 'tips',
  paymentReference: string,
): Promise<string | null> {
  const { rows } = await sql<{ conversation_id: string }>`
    select conversation_id from ${sql.table(table)} where payment_reference = ${paymentReference}`.execute(
    tx,
  );
  const id = rows[0]?.conversation_id ?? null;
  await lockConversations(tx, sql`id = ${id}`);
  return id;
}

/**
 * Returns SQL that opens a conversation for each new fan in a table or `with` part.
 * @param at the conversation's sort time in the list
 */
export const openConversations = (fans: string, at = `'epoch'::timestamptz`) =>
  `insert into conversations (fan_id, creator_id, last_message_at)
    select ${fans}.id, creators.id, ${at} from ${fans}, creators returning id, creator_id`;
