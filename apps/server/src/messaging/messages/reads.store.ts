import type { Database, Statement } from '../../db/database.ts';
import { isoText } from '../../db/iso-text.ts';
import type { Row } from '../../db/tables.ts';
import { WEBHOOK_COLUMNS, WEBHOOK_IS_SET } from '../../db/webhook-events.ts';
import { NEWEST } from './messages.store.ts';

/** The result of marking messages as read. */
export interface MarkedRead {
  readonly read_at: Date;
  readonly up_to_id: string;
  readonly up_to_seq: number;
  readonly count: number;
  readonly unread_count: number;
  readonly version: number;
  readonly outbox_id: number;
}

/**
 * Locks the conversation before its messages, in the same order as erasure, to avoid a deadlock. The update of the messages must
 * select from it.
 */
const HELD = `held as (
      select from conversations where id = $1 for no key update
    ),`;

/** Queues a webhook for staff's reads only: the platform knows its fans' reads already. */
const HOOKED = `hooked as (
      insert into webhook_events (${WEBHOOK_COLUMNS})
      select 'message.read', c.id, c.id::text, jsonb_build_object('message_id', m.id)
      from conversation c, last_marked m where ${WEBHOOK_IS_SET}
    ),`;

const markStatement = (fromFan: boolean): Statement => ({
  name: fromFan ? 'messages_mark_read_by_staff' : 'messages_mark_read_by_fan',
  text: `with ${HELD} marked as (
      update messages set read_at = date_trunc('milliseconds', statement_timestamp())
      where conversation_id = $1 and from_fan = ${fromFan} and read_at is null and seq <= $2
        and exists (select from held) returning id, seq, read_at
    ), conversation as (
      update conversations set version = version + 1
        ${
          fromFan
            ? `, unread_count = unread_count - (select count(*) from marked)::int - marked_unread::int,
               marked_unread = false`
            : ''
        }
      where id = $1 and exists (select 1 from marked) returning id, unread_count, version
    ), last_marked as (
      select id, seq, read_at from marked order by seq desc limit 1
    ), ${fromFan ? HOOKED : ''} queued as (
      insert into outbox (event, payload)
      select '${fromFan ? 'message_read' : 'fan_read'}', jsonb_build_object(
        'conversation_id', c.id, 'read_at', ${isoText('m.read_at')}, 'up_to_message_id', m.id, 'up_to_seq', m.seq,
        ${fromFan ? `'unread_count', c.unread_count,` : ''} 'version', c.version)
      from conversation c, last_marked m returning id
    )
    select m.read_at, m.id as up_to_id, m.seq as up_to_seq, (select count(*)::int from marked) as count, c.unread_count,
      c.version, queued.id as outbox_id
    from conversation c, last_marked m, queued`,
});

const markReadByStaff = markStatement(true);
const markReadByFan = markStatement(false);

/**
 * Marks one side's unread messages as read.
 * @param upToSeq the `seq` of the last of them; null: all that exist now
 * @returns null when there were none
 */
export async function markMessagesRead(
  db: Database,
  who: 'staff' | 'fan',
  conversationId: string,
  upToSeq: number | null,
): Promise<MarkedRead | null> {
  const statement = who === 'staff' ? markReadByStaff : markReadByFan;
  const [row] = await db.run<MarkedRead>(statement, [conversationId, upToSeq ?? NEWEST]);
  return row ?? null;
}

/** When a message was last read, and what is still unread. */
type LastRead = Row<'conversations', 'unread_count' | 'marked_unread'> & Row<'messages', 'read_at'>;

const lastReadStatement: Statement = {
  name: 'messages_last_read',
  text: `select c.unread_count, c.marked_unread, (
      select read_at from messages where conversation_id = $1 and from_fan = $2 and seq <= $3 and read_at is not null
      order by seq desc limit 1
    ) as read_at from conversations c where c.id = $1`,
};

/** Returns when the newest read message of one side was read, and staff's unread count. @param upToSeq null: any */
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
