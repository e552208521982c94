import { sql } from 'kysely';
import { lockConversations } from '../../db/change-conversation.ts';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';

/** The maximum number of messages newer than the tally. If a read counts more, the tally is updated. */
const UNTALLIED_MAX = 200;

/** SQL: message counts and newest times per side of the conversation `c`, from the tally `t` and the newer messages. */
export const WRITTEN = `
  select coalesce(t.from_fan, 0) + newer.from_fan as from_fan,
    coalesce(t.from_creator, 0) + newer.from_creator as from_creator,
    coalesce(newer.fan_wrote_at, t.fan_wrote_at) as fan_wrote_at,
    coalesce(newer.creator_wrote_at, t.creator_wrote_at) as creator_wrote_at,
    newer.counted, coalesce(newer.up_to_seq, t.up_to_seq, 0) as up_to_seq
  from (select 1) as always left join message_tallies t on t.conversation_id = c.id
  cross join lateral (
    select count(*)::int as counted, max(m.seq) as up_to_seq,
      count(*) filter (where m.from_fan)::int as from_fan, count(*) filter (where not m.from_fan)::int as from_creator,
      max(m.created_at) filter (where m.from_fan) as fan_wrote_at,
      max(m.created_at) filter (where not m.from_fan) as creator_wrote_at
    from messages m where m.conversation_id = c.id and m.seq > coalesce(t.up_to_seq, 0) and m.unsent_at is null
  ) newer`;

/** Returns whether so many messages were counted that the tally should be updated. */
export const needsTally = (counted: number): boolean => counted > UNTALLIED_MAX;

/**
 * Brings the tally up to date. Takes the same lock on the conversation as deletions of its messages, so that the tally never
 * counts a deleted message.
 */
export async function writeTally(db: Database, conversationId: string): Promise<void> {
  await db.kysely.transaction().execute(async (tx) => {
    await lockConversations(tx, sql`id = ${conversationId}`);
    await sql`
      insert into message_tallies as t (conversation_id, up_to_seq, from_fan, from_creator, fan_wrote_at, creator_wrote_at)
      select c.id, w.up_to_seq, w.from_fan, w.from_creator, w.fan_wrote_at, w.creator_wrote_at
      from conversations c cross join lateral (${sql.raw(WRITTEN)}) w where c.id = ${conversationId}
      on conflict (conversation_id) do update set up_to_seq = excluded.up_to_seq, from_fan = excluded.from_fan,
        from_creator = excluded.from_creator, fan_wrote_at = excluded.fan_wrote_at,
        creator_wrote_at = excluded.creator_wrote_at`.execute(tx);
  });
}

/** Deletes the tallies of conversations whose messages were deleted or unsent. Later reads rebuild them. @param ids UUIDs */
export async function deleteTallies(tx: Tx, ids: readonly string[]) {
  await sql`delete from message_tallies where conversation_id = any(${ids}::uuid[])`.execute(tx);
}
