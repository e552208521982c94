import { sql } from 'kysely';
import { type Database, type Source, type Statement, unhurried } from '../../db/database.ts';
import { type Span, wholeDays } from './range.ts';

/** The limits of the data, read before anything is summed. */
export interface Bounds {
  /** The database's clock. */
  readonly now: Date;
  /** The instant of the first message, sale or tip; null: there was none. */
  readonly first: Date | null;
  /** The days (UTC) before this instant have stored sums. */
  readonly summedUpTo: Date;
}

const boundsStatement: Statement = {
  name: 'analytics_bounds',
  text: `select clock_timestamp() as now, summed_up_to as "summedUpTo", least(
      (select sent_at from sent_messages order by sent_at limit 1),
      (select purchased_at from purchases where refunded_at is null order by purchased_at, id limit 1),
      (select tipped_at from tips where refunded_at is null order by tipped_at limit 1)
    ) as first
    from analytics_progress`,
};

export async function findBounds(db: Source): Promise<Bounds> {
  const [row] = await db.run<Bounds>(boundsStatement, []);
  if (row === undefined) throw new Error('the database has no record of how far the totals go');
  return row;
}

/** Counts, and the cents that fans paid. Refunded payments are left out. */
export interface Totals {
  readonly messages: number;
  readonly sends: number;
  readonly purchases: number;
  readonly cents: number;
}

/**
 * Totals with separate figures for mass messages and tips. `messages` excludes mass messages, and `cents` excludes tips; `sends`,
 * `purchases` and `cents` include those of mass messages.
 */
export interface AllTotals extends Totals {
  readonly mass_messages: number;
  readonly mass_sends: number;
  readonly mass_purchases: number;
  readonly mass_cents: number;
  readonly tips: number;
  readonly tip_cents: number;
}

/** The totals of one day, one admin or one product. */
export type TotalsRow = AllTotals & {
  readonly day: number | null;
  readonly admin_id: string | null;
  readonly product_id: string | null;
};

/** SQL: whether an instant is in a part of the span that has no stored sums. */
const counted = (at: string) => `(${at} >= $1 and ${at} < $2 or ${at} >= $3 and ${at} < $4)`;
const summed = (at: string) => `${at} >= $2 and ${at} < $3`;

const FIGURES = [
  'messages',
  'sends',
  'purchases',
  'cents',
  'mass_messages',
  'mass_sends',
  'mass_purchases',
  'mass_cents',
  'tips',
  'tip_cents',
] as const satisfies (keyof AllTotals)[];

/** SQL: the sum of each figure; 0 for a figure that the table doesn't have. */
const sums = (known: readonly string[] = FIGURES) =>
  FIGURES.map((name) => `${known.includes(name) ? `sum(${name})` : '0'}::bigint as ${name}`).join(
    ', ',
  );

const totalsText = `with facts as (
    select sent_at as at, case when campaign_id is null then admin_id end as admin_id, null::uuid as product_id, 0 as mass,
      (campaign_id is null)::int as messages, 0 as sends, 0 as purchases, 0 as cents,
      (campaign_id is not null)::int as mass_messages, 0 as tips, 0 as tip_cents
    from sent_messages where ${counted('sent_at')}
    union all
    select sent_at, admin_id, product_id, (campaign_id is not null)::int, 0, 1, 0, 0, 0, 0, 0
    from product_sends where ${counted('sent_at')}
    union all
    select purchased_at, admin_id, product_id, (campaign_id is not null)::int, 0, 0, 1, amount_cents, 0, 0, 0
    from purchases where refunded_at is null and ${counted('purchased_at')}
    union all
    select tipped_at, admin_id, null, 0, 0, 0, 0, 0, 0, 1, amount_cents
    from tips where refunded_at is null and ${counted('tipped_at')}
  )
  select case when grouping(day) = 0 then day end as day, admin_id, product_id, ${sums()}
  from (
    -- Aggregates first: one hash table instead of one per grouping set.
    select width_bucket(at, $5::timestamptz[]) - 1 as day, admin_id, product_id, sum(messages) as messages,
      sum(sends) as sends, sum(purchases) as purchases, sum(cents) as cents, sum(mass_messages) as mass_messages,
      sum(sends * mass) as mass_sends, sum(purchases * mass) as mass_purchases, sum(cents * mass) as mass_cents,
      sum(tips) as tips, sum(tip_cents) as tip_cents
    from facts group by 1, 2, 3
  ) as dated
  group by grouping sets ((day), (admin_id), (product_id))
  union all
  select width_bucket(quarter, $5::timestamptz[]) - 1, null, null, ${sums()}
  from analytics_quarters where ${summed('quarter')} group by 1
  union all
  select null, admin_id, null, ${sums(['messages', 'sends', 'purchases', 'cents', 'tips', 'tip_cents'])}
  from analytics_admin_days where ${summed('day')} group by 2
  union all
  select null, null, product_id, ${sums(['sends', 'purchases', 'cents'])}
  from analytics_product_days where ${summed('day')} group by 3`;

/**
 * Returns a span's totals by day, by admin and by product. A day, an admin or a product can have two rows, to be added up.
 * Uses one statement, so that all totals come from the same snapshot.
 * @param days the start of each day; `day` in a row is an index into this list
 */
export function sumTotals(
  db: Source,
  span: Span,
  days: readonly string[],
  bounds: Bounds,
): Promise<TotalsRow[]> {
  const { from, to } = wholeDays(span, bounds.summedUpTo);
  return db.runPlanned<TotalsRow>(totalsText, [span.start, from, to, span.end, days]);
}

/** A quarter of an hour in days. */
const QUARTER = 1 / 96;

const spanText = `with facts as (
    select 1 as messages, 0 as sends, 0 as purchases, 0 as cents
    from sent_messages where campaign_id is null and ${counted('sent_at')}
    union all
    select 0, 1, 0, 0 from product_sends where ${counted('sent_at')}
    union all
    select 0, 0, 1, amount_cents from purchases where refunded_at is null and ${counted('purchased_at')}
    union all
    select messages, sends, purchases, cents from analytics_quarters where ${summed('quarter')}
  )
  select coalesce(sum(messages), 0)::bigint as messages, coalesce(sum(sends), 0)::bigint as sends,
    coalesce(sum(purchases), 0)::bigint as purchases, coalesce(sum(cents), 0)::bigint as cents from facts`;

/** Returns a span's totals, without a breakdown. */
export async function sumSpan(db: Source, span: Span, bounds: Bounds): Promise<Totals> {
  const { from, to } = wholeDays(span, bounds.summedUpTo, QUARTER);
  const [totals] = await db.runPlanned<Totals>(spanText, [span.start, from, to, span.end]);
  if (totals === undefined) throw new Error('no row returned');
  return totals;
}

/** How many of an admin's replies are in a bucket. Fans waited about equally long for all replies in a bucket. */
export interface WaitsRow {
  readonly admin_id: string;
  /** See {@link waitOf}. */
  readonly bucket: number;
  readonly answers: number;
}

/** The days in one block of stored sums. */
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

/** Returns how long fans waited for each admin's replies in a span, shortest first. */
export function sumWaits(db: Source, span: Span, bounds: Bounds): Promise<WaitsRow[]> {
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

/** Buckets per doubling of a wait. */
const BUCKETS_PER_DOUBLING = 8;

/** Returns a bucket's wait in seconds. Every wait in the bucket is within 4.5 % of it, except waits under a second. */
export const waitOf = (bucket: number): number => 2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING);

/**
 * Stores the sums of finished days once no open transaction can still write to them.
 * @returns whether any sums were stored
 */
export async function sumUpDays(db: Database): Promise<boolean> {
  // Looks for open transactions before reading rows: a transaction that commits in between would otherwise be missed.
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

/** A margin, because the clock may have been ahead when rows were written. */
const SETTLE = '1 minute';
