import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Maximum number of conversations per statement; small, so that they are locked only briefly. */
const BATCH = 1_000;

/** Returns SQL for the time at which a side last wrote in the conversation `c`; null if never. */
export const lastWritten = (side: 'fan' | 'creator') =>
  `nullif(coalesce(c.${side}_wrote_at, ${newest(side)}, 'epoch'), 'epoch')`;

const newest = (side: 'fan' | 'creator') => `last_message_of(c.id, ${side === 'fan'})`;

/** Returns a job that fills `fan_wrote_at` and `creator_wrote_at` in conversations older than the columns. Reruns do nothing. */
export function fillWrittenTimes(db: Database): () => Promise<void> {
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  const fill = async () => {
    const { rows } = await sql<{ last: string | null }>`
      with walked as materialized (
        select id, fan_wrote_at, creator_wrote_at from conversations where id > ${after} order by id limit ${BATCH}
      ), locked as materialized (
        select id from conversations where id in (
          select id from walked where fan_wrote_at is null or creator_wrote_at is null
        ) order by id for no key update
      ), filled as (
        update conversations c set
          fan_wrote_at = coalesce(c.fan_wrote_at, ${sql.raw(newest('fan'))}, 'epoch'),
          creator_wrote_at = coalesce(c.creator_wrote_at, ${sql.raw(newest('creator'))}, 'epoch')
        from locked where c.id = locked.id
      )
      select max(id::text) as last from walked`.execute(db.kysely);
    return rows[0]?.last ?? null;
  };
  return async () => {
    while (after !== null) after = await fill();
  };
}
