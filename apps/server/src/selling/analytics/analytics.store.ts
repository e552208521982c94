import { sql } from 'kysely';
import { type Database, type Statement, unhurried } from '../../db/database.ts';
import { type Span, wholeDays } from './range.ts';

/** What is known before anything is summed. */
export interface Bounds {
  /** The database's clock. */
  readonly now: Date;
  /** When anything happened first; null where nothing did. */
  readonly first: Date | null;
  /** The days (UTC) before this instant are summed up. */
  readonly summedUpTo: Date;
}

const boundsStatement: Statement = {
  name: 'analytics_bounds',
  text: `select clock_timestamp() as now, summed_up_to as "summedUpTo", least(
      (select sent_at from sent_messages order by sent_at limit 1),
      (select purchased_at from purchases where refunded_at is null order by purchased_at, id limit 1)
    ) as first
    from analytics_progress`,
};

export async function findBounds(db: Database): Promise<Bounds> {
  const [row] = await db.run<Bounds>(boundsStatement, []);
  if (row === undefined) throw new Error('the database has no record of how far the totals go');
  return row;
}

/** What happened: counts, and cents that fans paid and did not get back. */
export interface Totals {
  readonly messages: number;
  readonly sends: number;
  readonly purchases: number;
  readonly cents: number;
}

/** A part of what happened: on one day, by one admin, or with one product. */
export type TotalsRow = Totals & {
  readonly day: number | null;
  readonly admin_id: string | null;
  readonly product_id: string | null;
};

/** Of the span, what lies outside of the whole days that are summed up. */
const counted = (at: string) => `(${at} >= $1 and ${at} < $2 or ${at} >= $3 and ${at} < $4)`;
const summed = (at: string) => `${at} >= $2 and ${at} < $3`;

const totalsText = `with facts as (
    select sent_at as at, admin_id, null::uuid as product_id, 1 as messages, 0 as sends, 0 as purchases, 0 as cents
    from sent_messages where ${counted('sent_at')}
    union all
    select sent_at, admin_id, product_id, 0, 1, 0, 0 from product_sends where ${counted('sent_at')}
    union all
    select purchased_at, admin_id, product_id, 0, 0, 1, amount_cents from purchases
    where refunded_at is null and ${counted('purchased_at')}
  )
  select case when grouping(day) = 0 then day end as day, admin_id, product_id, sum(messages)::bigint as messages,
    sum(sends)::bigint as sends, sum(purchases)::bigint as purchases, sum(cents)::bigint as cents
  from (
    -- Made few first: one table of sums instead of three to look each row up in.
    select width_bucket(at, $5::timestamptz[]) - 1 as day, admin_id, product_id, sum(messages) as messages,
      sum(sends) as sends, sum(purchases) as purchases, sum(cents) as cents
    from facts group by 1, 2, 3
  ) as dated
  group by grouping sets ((day), (admin_id), (product_id))
  union all
  select width_bucket(quarter, $5::timestamptz[]) - 1, null, null, sum(messages), sum(sends), sum(purchases), sum(cents)::bigint
  from analytics_quarters where ${summed('quarter')} group by 1
  union all
  select null, admin_id, null, sum(messages), sum(sends), sum(purchases), sum(cents)::bigint
  from analytics_admin_days where ${summed('day')} group by 2
  union all
  select null, null, product_id, 0, sum(sends), sum(purchases), sum(cents)::bigint
  from analytics_product_days where ${summed('day')} group by 3`;

/**
 * What happened in a span: three times the same, by day, by admin and by product, each in up to two parts. Read by one
 * statement, and so at one instant.
 * @param days when each begins; `day` is an index of these
 */
export function sumTotals(
  db: Database,
  span: Span,
  days: readonly string[],
  bounds: Bounds,
): Promise<TotalsRow[]> {
  const { from, to } = wholeDays(span, bounds.summedUpTo);
  return db.runPlanned<TotalsRow>(totalsText, [span.start, from, to, span.end, days]);
}

/** How many of an admin's answers came after about the same time. */
export interface WaitsRow {
  readonly admin_id: string;
  /** See {@link waitOf}. */
  readonly bucket: number;
  readonly answers: number;
}

/** Days that are summed up together. */
const BLOCK_DAYS = 32;

const waitsText = `select admin_id, bucket, sum(answers) as answers from (
    select admin_id, wait_bucket(sent_at - waited_since) as bucket, 1 as answers
    from sent_messages where waited_since is not null and ${counted('sent_at')}
    union all
    select admin_id, bucket, answers from analytics_waits
    where days = 1 and (day >= $2 and day < $5 or day >= $6 and day < $3)
    union all
    select admin_id, bucket, answers from analytics_waits where days = ${BLOCK_DAYS} and day >= $5 and day < $6
  ) as waits group by admin_id, bucket order by admin_id, bucket`;

/** How long fans waited for each admin's answers in a span, the shortest first. */
export function sumWaits(db: Database, span: Span, bounds: Bounds): Promise<WaitsRow[]> {
  const { from, to } = wholeDays(span, bounds.summedUpTo);
  const blocks = wholeDays({ start: from, end: to }, bounds.summedUpTo, BLOCK_DAYS);
  return db.runPlanned<WaitsRow>(waitsText, [
    span.start,
    from,
    to,
    span.end,
    blocks.from,
    blocks.to,
  ]);
}

/** Buckets to each doubling of a wait. */
const BUCKETS_PER_DOUBLING = 8;

/** The seconds that a bucket stands for: within 4.5 % of each wait in it, save those of less than a second. */
export const waitOf = (bucket: number): number => 2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING);

/**
 * Sums up the days that are over, once nothing can be written to them any more: whoever is still writing began before.
 * @returns whether there was any
 */
export async function sumUpDays(db: Database): Promise<boolean> {
  // Who writes must be looked for before what they wrote is.
  const [row] = await db.runPlanned<{ due: string | null }>(
    `select case when up_to > summed_up_to then up_to::text end as due
    from analytics_progress, (
      select date_bin('1 day', least(clock_timestamp() - interval '${SETTLE}', min(xact_start)), 'epoch') as up_to
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    ) as over`,
    [],
  );
  if (!row?.due) return false;
  await unhurried(db.kysely, (connection) =>
    sql`select sum_up_days(${row.due})`.execute(connection),
  );
  return true;
}

/** For how long a clock may have been ahead. */
const SETTLE = '1 minute';
