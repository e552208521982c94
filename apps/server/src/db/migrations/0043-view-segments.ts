import { type Kysely, sql } from 'kysely';

/** Saved views that filter by a segment. After the segment is deleted, the view keeps the segment's name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table saved_views add column segment uuid, add column lost_segment text`.execute(
    db,
  );
}
