import { type Kysely, sql } from 'kysely';

/** Templates for replies, and limits on the words and prices in staff messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table templates (
    id uuid primary key default gen_random_uuid(),
    maker_id uuid not null references admins (id) on delete cascade,
    -- False: only its maker can see it.
    is_shared boolean not null,
    name text not null,
    content text not null,
    -- Empty: none.
    folder text not null,
    product_id uuid references products (id) on delete set null,
    price_cents integer,
    uses integer not null default 0,
    version integer not null default 1,
    updated_at timestamptz not null default now()
  )`,
  'create index templates_shared on templates (uses desc) where is_shared',
  'create index templates_maker_id on templates (maker_id)',
  'create index templates_product_id on templates (product_id) where product_id is not null',

  // A single row: nodes check its version often.
  `create table guard_rails (
    one boolean primary key default true check (one),
    banned_words text[] not null default '{}',
    price_min_cents integer,
    price_max_cents integer,
    version integer not null default 1
  )`,
  'insert into guard_rails default values',
];
