import { type Kysely, sql } from 'kysely';

/** What payment providers gave back, whether or not the payment itself has been heard of yet: news come in any order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table returned_payments (
    payment_reference text primary key,
    returned_at timestamptz not null
  )`,
];
