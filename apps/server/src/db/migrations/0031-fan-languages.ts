import { type Kysely, sql } from 'kysely';

/** The languages a fan speaks, as noted by staff. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table fans add column languages text[] not null default '{}'").execute(db);
}
