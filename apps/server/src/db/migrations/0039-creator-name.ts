import { type Kysely, sql } from 'kysely';

/** The creator's name in the settings at the last start. A name from the console applies until the setting changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table creators add column configured_name text').execute(db);
}
