import { type Kysely, sql } from 'kysely';

/** An index that finds the clocks that ran at a time or in a period, without reading all earlier clocks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index clocks_span on clocks using gist (tstzrange(started_at, ended_at, '[]'))`.execute(
    db,
  );
}
