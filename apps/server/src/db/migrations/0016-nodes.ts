import { type Kysely, sql } from 'kysely';

/** Tables through which processes that share a database coordinate. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // At most one row, created by the first node. A restored installation gets its own id, so that the two never receive each
  // other's events.
  `create table installation (
    one boolean primary key default true check (one),
    id uuid not null default gen_random_uuid(),
    -- Digest of the keys in the nodes' data directories; null until there are several nodes.
    keys_digest text,
    -- Content of a marker file next to the stored files, which shows whether a node shares them.
    files_mark text
  )`,

  // A joining node requests the keys with its own public key; only it can read the answer.
  `create table key_requests (
    id uuid primary key default gen_random_uuid(),
    -- The requesting node's public key.
    sealed_for text not null,
    sealed text,
    created_at timestamptz not null default now()
  )`,

  // Recently ended fan sessions, which nodes poll: sockets must close even if the broker is down.
  `create table ended_fan_sessions (
    session_id uuid not null,
    ended_at timestamptz not null default clock_timestamp()
  )`,
  'create index ended_fan_sessions_ended_at on ended_fan_sessions (ended_at)',
  `create function note_ended_fan_sessions() returns trigger language plpgsql as $$
    begin
      insert into ended_fan_sessions (session_id) select id from gone;
      return null;
    end $$`,
  `create trigger fan_sessions_ended after delete on fan_sessions
    referencing old table as gone for each statement execute function note_ended_fan_sessions()`,
];
