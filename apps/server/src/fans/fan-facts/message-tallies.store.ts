import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** Messages beyond the tally that are counted anew at each reading, before they join it. */
const COUNTED_ANEW = 200;

/** How many messages of the conversation `c` there are by who wrote them, and when the newest was: the tally `t` and what came since. */
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
    from messages m where m.conversation_id = c.id and m.seq > coalesce(t.up_to_seq, 0)
  ) newer`;

/** Whether so many were counted that it pays to keep the result. */
export const needsTally = (counted: number): boolean => counted > COUNTED_ANEW;

/**
 * Notes how much was written up to now. Under the conversation's lock, as whoever deletes messages has it: what they deleted is
 * not counted, and what is counted is not deleted meanwhile.
 */
export async function writeTally(db: Database, conversationId: string): Promise<void> {
  await db.kysely.transaction().execute(async (tx) => {
    await sql`select from conversations where id = ${conversationId} for no key update`.execute(tx);
    await sql`
      insert into message_tallies as t (conversation_id, up_to_seq, from_fan, from_creator, fan_wrote_at, creator_wrote_at)
      select c.id, w.up_to_seq, w.from_fan, w.from_creator, w.fan_wrote_at, w.creator_wrote_at
      from conversations c cross join lateral (${sql.raw(WRITTEN)}) w where c.id = ${conversationId}
      on conflict (conversation_id) do update set up_to_seq = excluded.up_to_seq, from_fan = excluded.from_fan,
        from_creator = excluded.from_creator, fan_wrote_at = excluded.fan_wrote_at,
        creator_wrote_at = excluded.creator_wrote_at`.execute(tx);
  });
}
