import { type Kysely, sql } from 'kysely';

/** Staff's notification settings, and the browsers that receive pushes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table notification_settings (
    admin_id uuid primary key references admins (id) on delete cascade,
    fan_messages text not null check (fan_messages in ('all', 'mine', 'none')),
    sales boolean not null,
    shows_text boolean not null,
    -- Minutes since midnight in the time zone; both are set, or neither.
    quiet_from smallint,
    quiet_to smallint,
    time_zone text not null
  )`,
  // Belongs to a browser and ends with the session. If two admins sign in with the same browser, only the newest remains.
  `create table push_subscriptions (
    session_id uuid primary key references sessions (id) on delete cascade,
    endpoint text not null,
    public_key bytea not null,
    auth bytea not null,
    created_at timestamptz not null default now(),
    constraint push_subscriptions_endpoint_key unique (endpoint)
  )`,
];
