import { type Kysely, sql } from 'kysely';

/** Passkeys as a second factor, sign-ins that wait for one, and roles that require one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table passkeys (
    id uuid primary key default gen_random_uuid(),
    admin_id uuid not null references admins (id) on delete cascade,
    name text not null,
    -- The authenticator's own id for it, in base64url.
    credential_id text not null,
    -- In COSE format.
    public_key bytea not null,
    -- How often it was used, according to the authenticator. Many don't count and report 0.
    counter bigint not null,
    transports text[] not null,
    -- Whether its provider syncs it to other devices.
    synced boolean not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    constraint passkeys_credential_id_key unique (credential_id)
  )`,
  'create index passkeys_admin_id on passkeys (admin_id)',

  // The number of passkeys is in the admin's row, because the lock on that row makes sign-ins wait for changes to passkeys.
  'alter table admins add column passkeys integer not null default 0',
  `create function count_passkeys() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      update admins set passkeys = passkeys + 1 where id = new.admin_id;
    else
      update admins set passkeys = passkeys - 1 where id = old.admin_id;
    end if;
    return null;
  end $$`,
  `create trigger passkeys_count after insert or delete on passkeys
    for each row execute function count_passkeys()`,

  // Roles that can't sign in with an emailed code alone.
  `create table passkey_roles (
    role text primary key check (role in ('support', 'moderator', 'manager', 'creator')),
    since timestamptz not null default now()
  )`,

  // The passkey that opened or last confirmed a session, and when; both null if an emailed code alone opened it.
  'alter table sessions add column passkey_id uuid references passkeys (id) on delete set null',
  'alter table sessions add column confirmed_at timestamptz',
  'create index sessions_passkey_id on sessions (passkey_id) where passkey_id is not null',

  // Sign-ins with a correct code that wait for a passkey. Their tokens are stored only as SHA-256.
  `create table pending_sign_ins (
    id uuid primary key default gen_random_uuid(),
    admin_id uuid not null references admins (id) on delete cascade,
    token_hash bytea not null,
    step text not null check (step in ('passkey', 'enrol')),
    user_agent text,
    tries integer not null default 0,
    created_at timestamptz not null default clock_timestamp(),
    consumed_at timestamptz,
    constraint pending_sign_ins_token_hash_key unique (token_hash)
  )`,
  'create index pending_sign_ins_admin_id on pending_sign_ins (admin_id)',
  'create index pending_sign_ins_created_at on pending_sign_ins (created_at)',

  // Challenges for passkeys to sign: only the newest of each purpose, for one sign-in or one session. Deleted on use.
  `create table passkey_challenges (
    challenge text primary key,
    purpose text not null check (purpose in ('sign_in', 'enrol', 'add', 'confirm')),
    pending_id uuid references pending_sign_ins (id) on delete cascade,
    session_id uuid references sessions (id) on delete cascade,
    created_at timestamptz not null default clock_timestamp(),
    constraint passkey_challenges_owner check (num_nonnulls(pending_id, session_id) = 1),
    constraint passkey_challenges_pending_key unique (pending_id, purpose),
    constraint passkey_challenges_session_key unique (session_id, purpose)
  )`,
];
