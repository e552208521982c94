import { type Kysely, sql } from 'kysely';

/** Email invitations, and the benefits that fans get by accepting them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The link's token is derived from the id and `token_version` with a key that is not in the database; only its SHA-256 is
  // stored here. A queued, sent or opened invitation is expired after `expires_at`; readers check that.
  `create table invites (
    id uuid primary key,
    seq bigint not null generated always as identity,
    email text not null,
    benefit_type text not null
      check (benefit_type in ('1_month_free', '3_months_free', '24_hours_free', 'full_subscription')),
    state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'opened', 'accepted')),
    error text,
    token_version integer not null default 1,
    token_hash bytea not null,
    invited_by uuid not null references admins (id),
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    opened_at timestamptz,
    expires_at timestamptz not null,
    accepted_at timestamptz,
    accepted_by uuid references fans (id) on delete set null,
    benefit_ends_at timestamptz,
    check ((state = 'accepted') = (accepted_at is not null)),
    constraint invites_token_hash_key unique (token_hash)
  )`,
  'create unique index invites_seq on invites (seq desc)',
  'create index invites_state on invites (state, seq desc)',
  'create index invites_email on invites (email)',
  'create index invites_accepted_by on invites (accepted_by) where accepted_by is not null',

  // Each invitation email and who requested it; the daily limit counts these rows.
  `create table invite_mails (
    id bigint primary key generated always as identity,
    invite_id uuid not null references invites (id) on delete cascade,
    admin_id uuid not null references admins (id),
    at timestamptz not null default now()
  )`,
  'create index invite_mails_at on invite_mails (at)',
  'create index invite_mails_invite_id on invite_mails (invite_id)',

  // A fan's current or last benefit; a null end means unlimited.
  `create table fan_benefits (
    fan_id uuid primary key references fans (id) on delete cascade,
    benefit_type text not null
      check (benefit_type in ('1_month_free', '3_months_free', '24_hours_free', 'full_subscription')),
    started_at timestamptz not null,
    ends_at timestamptz
  )`,
  'create index fans_email on fans (email) where email is not null',

  // Erasing a fan also erases them from the invitations; accepted ones still count in the figures.
  `create function erase_from_invites() returns trigger language plpgsql as $$
  begin
    delete from invites where email = old.email and state <> 'accepted';
    update invites set email = 'erased' where accepted_by = old.id or email = old.email;
    return old;
  end $$`,
  'create trigger fans_erased_from_invites before delete on fans for each row execute function erase_from_invites()',
];
