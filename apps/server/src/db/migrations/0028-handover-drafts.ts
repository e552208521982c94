import { type Kysely, sql } from 'kysely';

/** A handover includes the conversation's draft. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table handover_items add column draft text').execute(db);
}
