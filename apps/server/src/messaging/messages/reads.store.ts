import { conversationChange } from '../../db/change-conversation.ts';
import type { Database, Statement } from '../../db/database.ts';
import { isoText } from '../../db/iso-text.ts';
import type { Row } from '../../db/tables.ts';
import { insertWebhooks } from '../../db/webhook-events.ts';
import { NEWEST } from './messages.store.ts';

export interface MarkedRead {
  readonly conversation_id: string;
  readonly read_at: Date;
  readonly up_to_id: string;
  readonly up_to_seq: number;
  readonly count: number;
  readonly unread_count: number;
  readonly version: number;
  readonly outbox_id: number;
}

/** Queues webhooks. Only for reads by staff: no webhook reports what fans read. */
const HOOKED = `hooked as (${insertWebhooks(
  'message.read',
  'c.id',
  `jsonb_build_object('message_id', m.id)`,
  'changed c join last_marked m on m.conversation_id = c.id',
)})`;

/** Locks all of the conversations before their messages, in the same order as erasure, to avoid a deadlock. */
const markStatement = (fromFan: boolean): Statement => ({
  name: fromFan ? 'messages_mark_read_by_staff' : 'messages_mark_read_by_fan',
  text: conversationChange({
    before: 'select id from conversations where id = any($1::uuid[]) order by id for no key update',
    given: `marked as (
      update messages set read_at = date_trunc('milliseconds', statement_timestamp())
      where conversation_id = any($1::uuid[]) and from_fan = ${fromFan} and read_at is null and seq <= $2
        and (select count(*) from before) > 0 returning conversation_id, id, seq, read_at
    ), last_marked as (
      select distinct on (conversation_id) conversation_id, id, seq, read_at,
        count(*) over (partition by conversation_id)::int as count
      from marked order by conversation_id, seq desc
    )`,
    where: 'exists (select from last_marked m where m.conversation_id = c.id)',
    ...(fromFan && {
      set: `unread_count = unread_count - (select count from last_marked m where m.conversation_id = c.id)
          - marked_unread::int,
        marked_unread = false`,
      after: HOOKED,
    }),
    event: fromFan ? 'message_read' : 'fan_read',
    payload: `(select jsonb_build_object('read_at', ${isoText('read_at')}, 'up_to_message_id', id, 'up_to_seq', seq
      ${fromFan ? `, 'unread_count', changed.unread_count` : ''}) from last_marked m
      where m.conversation_id = changed.id)`,
    select: `
      select c.id as conversation_id, m.read_at, m.id as up_to_id, m.seq as up_to_seq, m.count, c.unread_count, c.version,
        queued.id as outbox_id
      from changed c join last_marked m on m.conversation_id = c.id
        join queued on (queued.payload->>'conversation_id')::uuid = c.id`,
  }),
});

const markReadByStaff = markStatement(true);
const markReadByFan = markStatement(false);

/**
 * Marks unread messages from one side as read, in several conversations.
 * @param upToSeq the `seq` of the last message to mark; null for all that exist now
 * @returns the conversations that had unread messages
 */
export const markMessagesRead = (
  db: Database,
  who: 'staff' | 'fan',
  conversationIds: readonly string[],
  upToSeq: number | null,
): Promise<MarkedRead[]> =>
  db.run(who === 'staff' ? markReadByStaff : markReadByFan, [conversationIds, upToSeq ?? NEWEST]);

/** When the newest read message was read, and the conversation's unread count and mark. */
type LastRead = Row<'conversations', 'unread_count' | 'marked_unread'> & Row<'messages', 'read_at'>;

const lastReadStatement: Statement = {
  name: 'messages_last_read',
  text: `select c.unread_count, c.marked_unread, (
      select read_at from messages where conversation_id = $1 and from_fan = $2 and seq <= $3 and read_at is not null
      order by seq desc limit 1
    ) as read_at from conversations c where c.id = $1`,
};

/**
 * Returns when the newest read message of one side was read, and staff's unread count.
 * @param upToSeq considers only messages up to this `seq`; null for all
 */
export async function findLastRead(
  db: Database,
  conversationId: string,
  fromFan: boolean,
  upToSeq: number | null,
): Promise<LastRead | null> {
  const [row] = await db.run<LastRead>(lastReadStatement, [
    conversationId,
    fromFan,
    upToSeq ?? NEWEST,
  ]);
  return row ?? null;
}

const unreadByFanStatement: Statement = {
  name: 'messages_unread_by_fan',
  text: `select count(*)::int as count from messages
    where conversation_id = $1 and not from_fan and read_at is null`,
};

/** Counts the creator's messages that the fan has not read, from a partial index. */
export async function countUnreadByFan(db: Database, conversationId: string): Promise<number> {
  const [row] = await db.run<{ count: number }>(unreadByFanStatement, [conversationId]);
  return row?.count ?? 0;
}
