import { type Kysely, sql } from 'kysely';

/** What a fan speaks, as staff note it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table fans add column languages text[] not null default '{}'").execute(db);
}
