import { type Kysely, sql } from 'kysely';

const statements = [
  // Keyed by email address, known or not, so that the wait does not reveal which addresses are known.
  `create table sign_in_failures (
    email text primary key,
    failures integer not null,
    last_at timestamptz not null
  )`,
  'create index sign_in_failures_last_at on sign_in_failures (last_at)',
];

/** Consecutive wrong sign-in codes, counted across all codes of an address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
