import { type Kysely, sql } from 'kysely';

/** The creator's name from the settings at the last start. The console's name stays until this one changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table creators add column configured_name text').execute(db);
}
