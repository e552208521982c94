import { type Kysely, sql } from 'kysely';

/** What a message was scheduled with, to tell a retry from another message under the same key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null for those of the version before: what they were scheduled with is not known any more.
  await sql.raw('alter table scheduled_messages add column payload_hash bytea').execute(db);
}
