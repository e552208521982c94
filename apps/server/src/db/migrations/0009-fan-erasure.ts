import { type Kysely, sql } from 'kysely';

/** What was offered outlives an erased fan, as the sales do: figures stay, and only ids point to who is gone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table product_sends drop constraint product_sends_message_id_fkey',
  'alter table product_sends drop constraint product_sends_conversation_id_fkey',
];
