import { sql } from 'kysely';
import { changeConversations, lockConversations } from '../../db/change-conversation.ts';
import type { Database } from '../../db/database.ts';
import { deleteTallies } from '../../fans/fan-facts/message-tallies.store.ts';
import { deleteUploadsOf } from '../../media/uploads.store.ts';
import { keepResults } from '../../selling/campaigns/results.store.ts';

/** The last message that a batch examined. `at` is its time as PostgreSQL formats it, with microseconds. */
export interface MessageCursor {
  readonly at: string;
  readonly id: string;
}

/** The result of a batch. */
export interface Purged {
  readonly gone: number;
  /** The cursor for the next batch; null after the last batch. */
  readonly next: MessageCursor | null;
}

/**
 * Purges a batch of old messages with their reactions, and queues their files for deletion. Keeps messages that staff have not
 * read, and those with a product that the fan bought.
 * @param after the cursor from the previous batch; null for the first @param batch the maximum number of messages to purge
 */
export function purgeMessages(
  db: Database,
  days: number,
  after: MessageCursor | null,
  batch: number,
): Promise<Purged> {
  return db.kysely.transaction().execute(async (tx) => {
    const { rows: old } = await sql<MessageCursor & { conversation_id: string }>`
      select id, conversation_id, created_at::text as at from messages
      where created_at < now() - make_interval(days => ${days}::int)
        and created_at >= coalesce(${after?.at ?? null}::timestamptz, '-infinity')
        and (${after === null} or (created_at, id) > (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
      order by created_at, id limit ${sql.lit(batch)}`.execute(tx);
    if (old.length === 0) return { gone: 0, next: null };
    const conversations = [...new Set(old.map((message) => message.conversation_id))];
    // Locks the conversations first, as every send does, so that earlier purchases and reads are visible.
    await lockConversations(tx, sql`id = any(${conversations}::uuid[])`);
    const ids = old.map(({ id }) => id);
    // The fans' replies to these messages are newer, so no earlier batch has purged a reply.
    await keepResults(tx, sql`m.id = any(${ids}::uuid[])`);
    const { rows: gone } = await sql<{
      id: string;
      conversation_id: string;
      /** 0 for a message that the inbox doesn't show. */
      shown_seq: number;
    }>`
      delete from messages m where id = any(${ids}::uuid[])
        and not (from_fan and read_at is null)
        and not exists (select from purchases p where p.message_id = m.id and p.refunded_at is null)
      returning id, conversation_id,
        case when campaign_id is null and unsent_at is null then seq else 0 end as shown_seq`.execute(
      tx,
    );
    await deleteUploadsOf(tx, gone);
    const changed = gone.map((message) => message.conversation_id);
    await deleteTallies(tx, changed);
    await changeConversations(tx, [changed, JSON.stringify(gone)], {
      set: 'last_message_content = null',
      // `last_message_content` shows the newest message that is neither a mass message nor unsent.
      where: `c.last_message_content is not null and not exists (
        select from messages m where m.conversation_id = c.id and m.campaign_id is null and m.unsent_at is null and m.seq > (
          select max(shown_seq) from jsonb_to_recordset($2::jsonb) as gone (conversation_id uuid, shown_seq int)
          where gone.conversation_id = c.id))
        and exists (select from jsonb_to_recordset($2::jsonb) as gone (conversation_id uuid, shown_seq int)
          where gone.conversation_id = c.id and shown_seq > 0)`,
    });
    return { gone: gone.length, next: old.length === batch ? (old.at(-1) ?? null) : null };
  });
}
