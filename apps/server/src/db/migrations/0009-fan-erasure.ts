import { type Kysely, sql } from 'kysely';

/** Offers outlive an erased fan, like sales: the figures stay, and only ids refer to the fan. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table product_sends drop constraint product_sends_message_id_fkey',
  'alter table product_sends drop constraint product_sends_conversation_id_fkey',
];
