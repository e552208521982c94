import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** Rows read per statement, plus any further rows with the same time as the last row. */
const BATCH = 5_000;

/** Returns a one-time job that fills the id columns of `sent_messages` in rows from before these columns existed. */
export function fillSentMessages(db: Database): () => Promise<void> {
  let before: Date | null = new Date('9999-01-01');
  const fill = async (): Promise<Date | null> => {
    const { rows } = await sql<{ first: Date | null }>`
      with walked as materialized (
        -- With ties, so that rows with the same time are filled together.
        select s.ctid as place, s.admin_id, s.sent_at, s.message_id is null and s.campaign_id is null as is_open
        from sent_messages s where s.sent_at < ${before}
        order by s.sent_at desc fetch first ${sql.lit(BATCH)} rows with ties
      ), open as (
        select *, row_number() over (partition by admin_id, sent_at order by place) as n from walked where is_open
      ), unnamed as (
        select m.id, m.conversation_id, m.author_id, m.created_at,
          row_number() over (partition by m.author_id, m.created_at order by m.id) as n
        from messages m
        where m.created_at = any(array(select sent_at from open)) and not m.from_fan and m.campaign_id is null
          and not exists (
            select from sent_messages s where s.sent_at = m.created_at and s.admin_id = m.author_id and s.message_id = m.id)
      ), filled as (
        update sent_messages s set message_id = m.id, conversation_id = m.conversation_id
        from open o join unnamed m on m.author_id = o.admin_id and m.created_at = o.sent_at and m.n = o.n
        where s.ctid = o.place
      )
      select min(sent_at) as first from walked`.execute(db.kysely);
    return rows[0]?.first ?? null;
  };
  return async () => {
    while (before !== null) before = await fill();
  };
}
