import { type Kysely, sql } from 'kysely';

/** The payload of a scheduled message, to distinguish a retry from another message with the same key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null for messages of the previous version, whose payload is unknown.
  await sql.raw('alter table scheduled_messages add column payload_hash bytea').execute(db);
}
