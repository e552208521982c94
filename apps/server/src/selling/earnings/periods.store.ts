import { toUsd } from '@stagedoor/contract/selling/cents';
import type { EarningPeriod } from '@stagedoor/contract/selling/earnings';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables, Tx } from '../../db/tables.ts';
import { cursorCodec, cursorInstant } from '../../http/cursor.ts';
import { groupBy } from './calculate.ts';
import { headOf } from './ledger.store.ts';

export interface Period {
  /** The period's first day in the team's time zone, as `YYYY-MM-DD`; a later day if another period has that id. */
  readonly id: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly closed_at: Date | null;
  /** Whether the period can be closed now: it is over, and all earlier periods are closed. */
  readonly can_close: boolean;
}

/** SQL: the start of the period that contains a local time. Weeks start on Monday. */
const startOf = (local: string) => `case earning_period
    when 'monthly' then date_trunc('month', ${local})
    when 'weekly' then date_bin('7 days', ${local}, '1970-01-05')
    else date_bin('14 days', ${local}, '1970-01-05') end`;
const LENGTH = `case earning_period when 'monthly' then interval '1 month'
    when 'weekly' then interval '7 days' else interval '14 days' end`;
const local = (at: string) => `(${at} at time zone time_zone)`;

/**
 * Returns the open periods, oldest first, from the end of the last closed period to the current period. If no period is closed
 * yet, starts with the period of the first rule, because nobody earned anything before that rule. Without a
 * rule in effect, starts with the current period.
 */
export async function openPeriods(db: Kysely<Tables>): Promise<Period[]> {
  const { rows } = await sql<Period & { is_over: boolean }>`
    with recursive team as (select earning_period, time_zone from team_settings),
    first as (
      select coalesce(
        (select ends_at from earning_periods order by ends_at desc limit 1),
        (${sql.raw(startOf(local('least(now(), (select min(effective_at) from earning_rules))')))}) at time zone time_zone
      ) as starts_at from team
    ),
    open as (
      select starts_at, (${sql.raw(startOf(local('starts_at')))} + ${sql.raw(LENGTH)}) at time zone time_zone as ends_at
      from first, team
      union all
      select ends_at, (${sql.raw(startOf(local('ends_at')))} + ${sql.raw(LENGTH)}) at time zone time_zone
      from open, team where ends_at <= now()
    )
    select to_char(greatest(
        ${sql.raw(local('starts_at'))}::date,
        (select max(id)::date from earning_periods) + row_number() over (order by starts_at)::int
      ), 'YYYY-MM-DD') as id, starts_at, ends_at, null as closed_at,
      ends_at <= now() as is_over
    from open, team order by starts_at`.execute(db);
  return rows.map(({ is_over, ...period }, index) => ({
    ...period,
    can_close: index === 0 && is_over,
  }));
}

export const periodCursors = cursorCodec({ ends_at: cursorInstant(3) });

/** Returns closed periods, newest first. @param page `before`: the end of the previous page's last period */
export async function closedPeriods(
  db: Kysely<Tables>,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<Period[]> {
  const rows = await db
    .selectFrom('earning_periods')
    .select(['id', 'starts_at', 'ends_at', 'closed_at'])
    .$if(before !== null, (query) => query.where(sql<boolean>`ends_at < ${before}::timestamptz`))
    .orderBy('ends_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((period) => ({ ...period, can_close: false }));
}

/** Returns a closed period with each admin's sums. */
export async function findClosedPeriod(db: Database, id: string): Promise<EarningPeriod | null> {
  const period = await findPeriod(db.kysely, id);
  if (period === null || period.closed_at === null) return null;
  const [shown = null] = await withSums(db.kysely, [period], null);
  return shown;
}

/** Returns a period, open or closed, or null. */
export async function findPeriod(db: Kysely<Tables>, id: string): Promise<Period | null> {
  const closed = await db
    .selectFrom('earning_periods')
    .select(['id', 'starts_at', 'ends_at', 'closed_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (closed !== undefined) return { ...closed, can_close: false };
  return (await openPeriods(db)).find((period) => period.id === id) ?? null;
}

interface SumRow {
  readonly period_id: string;
  readonly admin_id: string;
  readonly codename: string;
  readonly amount_cents: number;
  readonly base_cents: number;
  readonly seconds: number;
}

const SUMS = `sum(amount_cents)::bigint as amount_cents, sum(base_cents)::bigint as base_cents,
  coalesce(sum(seconds), 0)::bigint as seconds`;

/** Adds each admin's sums to periods. @param adminId a UUID: shows only this admin's sums; null: everyone's */
export async function withSums(
  db: Kysely<Tables>,
  periods: readonly Period[],
  adminId: string | null,
): Promise<EarningPeriod[]> {
  const open = periods
    .filter(({ closed_at }) => closed_at === null)
    .toSorted((a, b) => +a.starts_at - +b.starts_at);
  const starts = open.map(({ starts_at }) => starts_at.toISOString());
  const closed = periods.filter(({ closed_at }) => closed_at !== null).map(({ id }) => id);
  const end = open.at(-1)?.ends_at.toISOString() ?? null;
  const { rows } = await sql<SumRow>`
    select s.*, a.codename from (
      select (${open.map(({ id }) => id)}::text[])[width_bucket(at, ${starts}::timestamptz[])] as period_id, admin_id, ${sql.raw(SUMS)}
      from earning_lines
      where at >= ${starts[0] ?? null}::timestamptz and at < ${end}::timestamptz
        and (${adminId}::uuid is null or admin_id = ${adminId}::uuid)
      group by 1, 2
      union all
      select period_id, admin_id, amount_cents, base_cents, seconds from earning_payslips
      where period_id = any(${closed}::text[]) and (${adminId}::uuid is null or admin_id = ${adminId}::uuid)
    ) s join admins a on a.id = s.admin_id order by a.codename`.execute(db);
  const byPeriod = groupBy(rows, ({ period_id }) => period_id);
  return periods.map(({ starts_at, ends_at, closed_at, ...period }) => ({
    ...period,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at.toISOString(),
    closed_at: closed_at?.toISOString() ?? null,
    admins: (byPeriod.get(period.id) ?? []).map((sums) => ({
      admin_id: sums.admin_id,
      admin_codename: sums.codename,
      amount: toUsd(sums.amount_cents),
      base_amount: toUsd(sums.base_cents),
      seconds: sums.seconds,
    })),
  }));
}

/** Closes a period with each admin's sums, in a transaction that has locked the ledger. */
export async function insertPeriod(tx: Tx, period: Period, closedBy: string): Promise<void> {
  const { seq, hash } = await headOf(tx);
  const { id, starts_at, ends_at } = period;
  await tx
    .insertInto('earning_periods')
    .values({ id, starts_at, ends_at, closed_by: closedBy, last_seq: seq, last_hash: hash })
    .execute();
  await sql`insert into earning_payslips (period_id, admin_id, amount_cents, base_cents, seconds)
    select ${id}, admin_id, ${sql.raw(SUMS)} from earning_lines
    where at >= ${starts_at} and at < ${ends_at} group by admin_id`.execute(tx);
}
