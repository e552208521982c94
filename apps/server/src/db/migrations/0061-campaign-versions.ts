import { type Kysely, sql } from 'kysely';

/** Adds a version to drafts of mass messages, so that a teammate's unseen changes are neither overwritten nor sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column version integer not null default 1`.execute(db);
}
