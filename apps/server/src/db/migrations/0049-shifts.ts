import { type Kysely, sql } from 'kysely';

/** Planned shifts, time on the clock, and requests for more time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Each shift of a weekly pattern has a row; these rows share a `series_id`. An admin's shifts never overlap: changes to the plan
  // take a lock and check this.
  `create table shifts (
    id uuid primary key default gen_random_uuid(),
    admin_id uuid not null references admins (id),
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    note text not null default '',
    series_id uuid,
    created_at timestamptz not null default now(),
    constraint shifts_in_order check (ends_at > starts_at)
  )`,
  'create index shifts_starts_at on shifts (starts_at, id)',
  'create index shifts_admin on shifts (admin_id, starts_at)',
  'create index shifts_series on shifts (series_id, starts_at) where series_id is not null',

  // Every start of an admin's clock adds a row.
  `create table clocks (
    id uuid primary key default gen_random_uuid(),
    admin_id uuid not null references admins (id),
    started_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
    -- The last act that the server confirmed; written at intervals.
    last_act_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
    ended_at timestamptz,
    stopped_by text check (stopped_by in ('admin', 'idle', 'removed')),
    constraint clocks_in_order check (ended_at >= started_at),
    constraint clocks_stopped check ((ended_at is null) = (stopped_by is null))
  )`,
  'create unique index clocks_open on clocks (admin_id) where ended_at is null',
  'create index clocks_admin on clocks (admin_id, started_at desc)',
  'create index clocks_started_at on clocks (started_at)',

  // A request gets its end when it is granted. An admin can have only one open request.
  `create table shift_extensions (
    id uuid primary key default gen_random_uuid(),
    admin_id uuid not null references admins (id),
    asked_at timestamptz not null default now(),
    granted_by uuid references admins (id),
    until timestamptz,
    constraint shift_extensions_granted check ((granted_by is null) = (until is null))
  )`,
  'create unique index shift_extensions_open on shift_extensions (admin_id) where until is null',
  'create index shift_extensions_until on shift_extensions (admin_id, until desc)',

  // clock_idle_minutes: how long an admin's clock runs on without activity that the server confirmed.
  `alter table team_settings add column clock_idle_minutes smallint not null default 30,
    add column access_only_on_shift boolean not null default false`,
];
