import { type Kysely, sql } from 'kysely';

/** Refunds reported by payment providers, even if the payment itself is not known yet: reports can arrive out of order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table returned_payments (
    payment_reference text primary key,
    returned_at timestamptz not null
  )`,
];
