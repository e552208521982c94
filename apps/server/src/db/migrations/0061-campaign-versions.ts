import { type Kysely, sql } from 'kysely';

/** Versions of drafts of mass messages, so that a teammate's changes are not overwritten or sent unseen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column version integer not null default 1`.execute(db);
}
