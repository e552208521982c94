import { type Kysely, sql } from 'kysely';

/** Tracks Stripe's open checkouts, and the refunds that it refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Stripe pages on which fans can pay; each is listed until it expires.
  `create table open_checkouts (
    session_id text primary key,
    fan_id uuid not null,
    product_id uuid not null,
    created_at timestamptz not null default now()
  )`,
  // How often Stripe refused to refund a payment that bought nothing. Each retry after a refusal needs a new idempotency key.
  `create table give_backs (
    payment_intent text primary key,
    refusals integer not null default 0
  )`,
];
