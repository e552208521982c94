import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { runIn } from './database.ts';
import { type ConversationTouched, insertEvents } from './outbox-events.ts';
import type { Tx } from './tables.ts';

/**
 * A change of conversations, in SQL. It can share a statement with its cause: `first`, `before`, `given`, the change, its events
 * and `after` are parts of one `with`, in this order, and each can use those before it.
 */
export interface ConversationChange {
  readonly first?: string;
  /**
   * Selects the conversations' ids, and other columns that the change needs, and locks them: in the order of their ids, or
   * skipping those that are locked. By default the conversations whose ids are `$1`.
   */
  readonly before?: string;
  readonly given?: string;
  /** What changes in `c`, a locked row, besides its version. */
  readonly set?: string;
  /** Which of the rows of `before` change; a condition on them and on `c`. */
  readonly where?: string;
  readonly event?: Parameters<typeof insertEvents>[0];
  /** jsonb: the event's fields besides `conversation_id` and `version`. */
  readonly payload?: string;
  /** Can use `changed`, the conversations that changed, and `queued`, their events. */
  readonly after?: string;
  /** The statement's result; by default {@link ConversationChanged}. */
  readonly select?: string;
}

export interface ConversationChanged extends ConversationTouched {
  readonly version: number;
}

/** The states that a change replaces, of the conversations whose ids are `$1`. */
const BY_ID = `select id, status, claimed_by, unread_count, marked_unread, snoozed_until
  from conversations where id = any($1::uuid[]) order by id for no key update`;

const CHANGED = `select id as "outboxId", payload->>'conversation_id' as "conversationId",
  (payload->>'version')::int as version from queued`;

/**
 * Returns the statement that changes conversations: locks them, changes them, raises their versions and queues an event for
 * each. Everything but a send changes conversations this way, so that no change is missed by a client.
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

/** Changes conversations within a transaction. @param values those of the change; `$1` by default is their ids */
export const changeConversations = <Row = ConversationChanged>(
  tx: Tx,
  values: readonly unknown[],
  change: ConversationChange = {},
): Promise<Row[]> => runIn<Row>(tx, conversationChange(change), values);

/**
 * Locks conversations in the order of their ids. Required before a change of anything that they show.
 * @param which a condition on `conversations`
 * @returns those that exist, with their fans
 */
export async function lockConversations(
  tx: Tx,
  which: RawBuilder<SqlBool>,
): Promise<{ readonly id: string; readonly fan_id: string }[]> {
  const { rows } = await sql<{ id: string; fan_id: string }>`
    select id, fan_id from conversations where ${which} order by id for no key update`.execute(tx);
  return rows;
}

/** SQL that opens a conversation for each row of a table or `with` part of new fans. @param at when staff find it in the list */
export const openConversations = (fans: string, at = `'epoch'::timestamptz`) =>
  `insert into conversations (fan_id, creator_id, last_message_at)
    select ${fans}.id, creators.id, ${at} from ${fans}, creators returning id, creator_id`;
