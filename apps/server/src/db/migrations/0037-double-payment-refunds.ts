import { type Kysely, sql } from 'kysely';

/** A double payment that Stripe was asked to refund stays listed until Stripe confirms it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('alter table double_payments add column refund_requested_at timestamptz')
    .execute(db);
}
