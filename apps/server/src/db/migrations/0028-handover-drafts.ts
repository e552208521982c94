import { type Kysely, sql } from 'kysely';

/** What was begun in a conversation goes along when it is handed over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table handover_items add column draft text').execute(db);
}
