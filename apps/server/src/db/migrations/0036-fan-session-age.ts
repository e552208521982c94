import { type Kysely, sql } from 'kysely';

/** Finds expired fan sessions without reading all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create index fan_sessions_created_at on fan_sessions (created_at)').execute(db);
}
