import { type Kysely, sql } from 'kysely';

/** The languages a fan speaks, as noted by staff: ISO 639-1 codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table fans add column languages text[] not null default '{}'").execute(db);
}
