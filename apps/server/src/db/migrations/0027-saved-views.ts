import { type Kysely, sql } from 'kysely';

/** Saved inbox filters and sort orders of each admin. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table saved_views (
    id uuid primary key default gen_random_uuid(),
    admin_id uuid not null references admins (id),
    name text not null,
    filter text not null,
    sort text not null,
    tag text,
    search text not null default '',
    created_at timestamptz not null default clock_timestamp()
  )`,
  'create index saved_views_admin on saved_views (admin_id, created_at)',
];
