import { type Kysely, sql } from 'kysely';

/** The fan client's sessions, and the links that open them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Links and tokens are stored only as SHA-256. A link has one session at a time: following it again ends the previous one.
  `create table fan_links (
    id uuid primary key default gen_random_uuid(),
    fan_id uuid not null references fans (id) on delete cascade,
    link_hash bytea not null,
    checkout_url text,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    constraint fan_links_link_hash_key unique (link_hash)
  )`,
  'create index fan_links_fan_id on fan_links (fan_id)',
  'create index fan_links_expires_at on fan_links (expires_at)',

  `create table fan_sessions (
    id uuid primary key default gen_random_uuid(),
    fan_id uuid not null references fans (id) on delete cascade,
    link_id uuid references fan_links (id) on delete set null,
    token_hash bytea not null,
    checkout_url text,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    constraint fan_sessions_token_hash_key unique (token_hash)
  )`,
  'create index fan_sessions_fan_id on fan_sessions (fan_id)',
  'create index fan_sessions_link_id on fan_sessions (link_id) where link_id is not null',
  'create index fan_sessions_last_used_at on fan_sessions (last_used_at)',
];
