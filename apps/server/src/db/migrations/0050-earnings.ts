import { type Kysely, sql } from 'kysely';

/** Commission rules, the ledger of earnings, contests and periods. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const fixed = (table: string) => [
  `create trigger ${table}_fixed before update or delete on ${table}
    for each row execute function refuse_ledger_change()`,
  `create trigger ${table}_kept before truncate on ${table}
    for each statement execute function refuse_ledger_change()`,
];

const statements = [
  `create function refuse_ledger_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is append-only', tg_table_name;
  end $$`,

  // A rule is for one admin or one role. The newest rule in force applies; a rule for the admin takes precedence over the role's.
  `create table earning_rules (
    version integer primary key generated always as identity,
    admin_id uuid references admins (id),
    role text check (role in ('support', 'moderator', 'manager', 'creator')),
    -- Hundredths of a percent, and cents an hour.
    percent_hundredths integer not null check (percent_hundredths between 0 and 10000),
    hourly_cents integer not null check (hourly_cents between 0 and 100000),
    credit text not null check (credit in ('sender', 'shift')),
    effective_at timestamptz(3) not null,
    created_by uuid not null references admins (id),
    created_at timestamptz not null default now(),
    constraint earning_rules_target check ((admin_id is null) <> (role is null))
  )`,
  ...fixed('earning_rules'),

  // source and fact_id name what the line was booked for: a purchase, a clock or a contest. The hash covers every column.
  `create table earning_lines (
    seq bigint primary key,
    id uuid not null,
    admin_id uuid not null references admins (id),
    at timestamptz(3) not null,
    kind text not null check (kind in ('sale', 'refund', 'hours', 'adjustment')),
    source text not null,
    fact_id uuid not null,
    amount_cents bigint not null,
    base_cents bigint not null,
    -- Hundredths of a percent, or cents an hour.
    rate_hundredths integer,
    rule_version integer references earning_rules (version),
    purchase_id uuid,
    message_id uuid,
    shift_id uuid,
    -- For a contest's line: the line whose amount it changes.
    adjusts uuid,
    -- The number of admins who share the sale.
    shared_by smallint not null default 1,
    seconds integer,
    note text,
    previous_hash text not null,
    hash text not null,
    constraint earning_lines_id unique (id),
    constraint earning_lines_once unique (source, fact_id, admin_id)
  )`,
  'create index earning_lines_at on earning_lines (at desc, seq desc)',
  'create index earning_lines_admin on earning_lines (admin_id, at desc, seq desc)',
  'create index earning_lines_purchase on earning_lines (purchase_id) where purchase_id is not null',
  'create index earning_lines_adjusts on earning_lines (adjusts) where adjusts is not null',
  ...fixed('earning_lines'),

  `create table earning_contests (
    id uuid primary key default gen_random_uuid(),
    line_id uuid not null references earning_lines (id),
    admin_id uuid not null references admins (id),
    reason text not null,
    created_at timestamptz not null default clock_timestamp(),
    state text not null default 'open' check (state in ('open', 'accepted', 'rejected')),
    answer text,
    answered_by uuid references admins (id),
    answered_at timestamptz,
    constraint earning_contests_answered check ((state = 'open') = (answered_at is null))
  )`,
  `create unique index earning_contests_open on earning_contests (line_id) where state = 'open'`,
  'create index earning_contests_line on earning_contests (line_id)',
  'create index earning_contests_newest on earning_contests (created_at desc, id)',
  'create index earning_contests_admin on earning_contests (admin_id, created_at desc)',

  // Closed periods. They follow each other without gaps; the open ones are computed.
  `create table earning_periods (
    id text primary key,
    starts_at timestamptz(3) not null,
    ends_at timestamptz(3) not null,
    closed_at timestamptz not null default now(),
    closed_by uuid not null references admins (id),
    last_seq bigint not null,
    last_hash text not null,
    constraint earning_periods_in_order check (ends_at > starts_at)
  )`,
  'create unique index earning_periods_end on earning_periods (ends_at)',
  ...fixed('earning_periods'),
  `create table earning_payslips (
    period_id text not null references earning_periods (id),
    admin_id uuid not null references admins (id),
    amount_cents bigint not null,
    base_cents bigint not null,
    seconds bigint not null,
    primary key (period_id, admin_id)
  )`,
  ...fixed('earning_payslips'),

  // Facts that are not booked yet. The transaction that stores a sale, a refund or the end of a clock adds the fact here.
  `create table earning_queue (
    id bigint primary key generated always as identity,
    source text not null,
    fact_id uuid not null
  )`,
  `create function queue_sale_earning() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      insert into earning_queue (source, fact_id) values ('sale', new.id);
    end if;
    if new.refunded_at is not null and (tg_op = 'INSERT' or old.refunded_at is null) then
      insert into earning_queue (source, fact_id) values ('refund', new.id);
    end if;
    return null;
  end $$`,
  `create trigger purchases_earned after insert or update of refunded_at on purchases
    for each row execute function queue_sale_earning()`,
  `create function queue_hours_earning() returns trigger language plpgsql as $$
  begin
    if new.ended_at is not null and (tg_op = 'INSERT' or old.ended_at is null) then
      insert into earning_queue (source, fact_id) values ('hours', new.id);
    end if;
    return null;
  end $$`,
  `create trigger clocks_earned after insert or update of ended_at on clocks
    for each row execute function queue_hours_earning()`,
  `insert into earning_queue (source, fact_id)
    select case when is_refund then 'refund' else 'sale' end, id from (
      select id, purchased_at as at, false as is_refund from purchases
      union all select id, refunded_at, true from purchases where refunded_at is not null
    ) as facts order by is_refund, at, id`,
  `insert into earning_queue (source, fact_id)
    select 'hours', id from clocks where ended_at is not null order by ended_at, id`,

  `alter table team_settings add column earning_period text not null default 'weekly'
    check (earning_period in ('weekly', 'two_weekly', 'monthly'))`,
  // A payroll key can only read closed periods.
  `alter table platform_keys add column scope text not null default 'platform'
    check (scope in ('platform', 'payroll'))`,
];
