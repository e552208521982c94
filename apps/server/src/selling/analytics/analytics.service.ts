import type {
  AdminPerformance,
  AnalyticsDay,
  AnalyticsOverview,
  AnalyticsSource,
  PreviousPeriod,
  TopProduct,
} from '@stagedoor/contract/selling/analytics';
import { toUsd } from '@stagedoor/contract/selling/cents';
import type { Source } from '../../db/database.ts';
import { daysBefore, daysOf } from '../../db/zoned-days.ts';
import {
  type AllTotals,
  findBounds,
  sumSpan,
  sumTotals,
  sumWaits,
  type Totals,
  type TotalsRow,
  type WaitsRow,
  waitOf,
} from './analytics.store.ts';
import { findAdmins, findProducts } from './names.store.ts';
import { type RangeQuery, resolveRange } from './range.ts';

/** The figures of one range, broken down in several ways with the same totals. */
export interface Analytics {
  readonly overview: AnalyticsOverview;
  readonly admins: AdminPerformance[];
  readonly products: TopProduct[];
  readonly days: AnalyticsDay[];
  readonly sources: AnalyticsSource[];
}

/**
 * Returns the figures for messages and sales in a range.
 * @param query `tz` is the time zone of the days; UTC by default
 * @throws AppError 400 for a range that is too long
 */
export async function analyze(
  db: Source,
  query: RangeQuery & { readonly tz?: string | undefined },
): Promise<Analytics> {
  const bounds = await findBounds(db);
  const range = resolveRange(query, bounds);
  const zonedDays = daysOf(Date.parse(range.start), Date.parse(range.end), query.tz ?? 'UTC');
  const starts = zonedDays.map(({ start }) => new Date(start).toISOString());
  const [rows, waits] = await Promise.all([
    sumTotals(db, range, starts, bounds),
    sumWaits(db, range, bounds),
  ]);
  const byDay = sumBy(rows, ({ day }) => day);
  const total = [...byDay.values()].reduce(add, NOTHING);
  const [admins, products] = await Promise.all([
    performanceOf(
      db,
      sumBy(rows, ({ admin_id }) => admin_id),
      waits,
    ),
    salesOf(
      db,
      sumBy(rows, ({ product_id }) => product_id),
    ),
  ]);
  const days = zonedDays.map(({ date }, index) => {
    const { messages, sends, purchases, cents } = byDay.get(index) ?? NOTHING;
    return { date, messages, products_sent: sends, purchases, revenue: toUsd(cents) };
  });
  return {
    overview: overviewOf(total),
    admins,
    products,
    days,
    sources: sourcesOf(total),
  };
}

/**
 * Returns the figures for the period before a range.
 * @returns null for a range without a start, an empty one, or one whose previous period ends before 1970
 */
export async function analyzePrevious(
  db: Source,
  query: RangeQuery & { readonly tz?: string | undefined },
): Promise<PreviousPeriod | null> {
  if (query.start_date === undefined) return null;
  const bounds = await findBounds(db);
  const { start, end } = resolveRange(query, bounds);
  if (start === end) return null;
  const before = daysBefore(Date.parse(start), Date.parse(end), query.tz ?? 'UTC');
  // Nothing happened before the epoch.
  if (before.end <= 0) return null;
  const span = {
    start: new Date(Math.max(0, before.from)).toISOString(),
    end: new Date(before.end).toISOString(),
  };
  return { ...span, overview: overviewOf(await sumSpan(db, span, bounds)) };
}

const overviewOf = (total: Totals): AnalyticsOverview => ({
  total_messages: total.messages,
  total_products_sent: total.sends,
  total_purchases: total.purchases,
  total_revenue: toUsd(total.cents),
  average_purchase_value: average(total),
  conversion_rate: conversion(total),
});

/** Splits the figures into messages that staff wrote themselves, mass messages, and tips. */
const sourcesOf = (total: AllTotals): AnalyticsSource[] => [
  {
    source: 'messages',
    messages_sent: total.messages,
    products_sent: total.sends - total.mass_sends,
    payments: total.purchases - total.mass_purchases,
    revenue: toUsd(total.cents - total.mass_cents),
  },
  {
    source: 'mass_messages',
    messages_sent: total.mass_messages,
    products_sent: total.mass_sends,
    payments: total.mass_purchases,
    revenue: toUsd(total.mass_cents),
  },
  {
    source: 'tips',
    messages_sent: 0,
    products_sent: 0,
    payments: total.tips,
    revenue: toUsd(total.tip_cents),
  },
];

const NOTHING: AllTotals = {
  messages: 0,
  sends: 0,
  purchases: 0,
  cents: 0,
  mass_messages: 0,
  mass_sends: 0,
  mass_purchases: 0,
  mass_cents: 0,
  tips: 0,
  tip_cents: 0,
};

const add = (one: AllTotals, other: AllTotals): AllTotals => ({
  messages: one.messages + other.messages,
  sends: one.sends + other.sends,
  purchases: one.purchases + other.purchases,
  cents: one.cents + other.cents,
  mass_messages: one.mass_messages + other.mass_messages,
  mass_sends: one.mass_sends + other.mass_sends,
  mass_purchases: one.mass_purchases + other.mass_purchases,
  mass_cents: one.mass_cents + other.mass_cents,
  tips: one.tips + other.tips,
  tip_cents: one.tip_cents + other.tip_cents,
});

/** Sums rows by key. Leaves out rows without a key, and keys whose sums are zero. */
function sumBy<Key>(rows: readonly TotalsRow[], keyOf: (row: TotalsRow) => Key | null) {
  const sums = new Map<Key, AllTotals>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) sums.set(key, add(sums.get(key) ?? NOTHING, row));
  }
  for (const [key, totals] of sums) {
    if (Object.values(totals).every((figure) => figure === 0)) sums.delete(key);
  }
  return sums;
}

/** Returns the average price in USD; 0 without purchases. */
const average = ({ cents, purchases }: Totals): number =>
  purchases === 0 ? 0 : cents / purchases / 100;

/**
 * Returns the purchases per hundred products sent; 0 if none were sent. Can exceed 100 for a short range, because products bought
 * in it may have been sent before it.
 */
const conversion = ({ purchases, sends }: Totals): number =>
  sends === 0 ? 0 : (purchases / sends) * 100;

async function performanceOf(
  db: Source,
  sums: ReadonlyMap<string, AllTotals>,
  waits: readonly WaitsRow[],
): Promise<AdminPerformance[]> {
  const admins = await findAdmins(db, [...sums.keys()]);
  const rows = admins.map((admin) => {
    const totals = sums.get(admin.id) ?? NOTHING;
    const ofAdmin = waits.filter(({ admin_id }) => admin_id === admin.id);
    return {
      admin_id: admin.id,
      admin_codename: admin.codename,
      admin_email: admin.email,
      messages_sent: totals.messages,
      products_sent: totals.sends,
      products_purchased: totals.purchases,
      total_revenue: toUsd(totals.cents),
      avg_purchase_value: average(totals),
      conversion_rate: conversion(totals),
      tips: totals.tips,
      tip_revenue: toUsd(totals.tip_cents),
      reply_time_p50: percentile(ofAdmin, 50),
      reply_time_p90: percentile(ofAdmin, 90),
    };
  });
  return rows.toSorted(
    (a, b) =>
      b.total_revenue - a.total_revenue ||
      b.messages_sent - a.messages_sent ||
      a.admin_codename.localeCompare(b.admin_codename),
  );
}

/** Returns the seconds within which a percentage of the replies came; null without replies. @param waits shortest first */
function percentile(waits: readonly WaitsRow[], percentage: number): number | null {
  const answers = waits.reduce((sum, row) => sum + row.answers, 0);
  let before = 0;
  const found = waits.find((row) => {
    before += row.answers;
    return before * 100 >= answers * percentage;
  });
  return found === undefined ? null : waitOf(found.bucket);
}

async function salesOf(db: Source, sums: ReadonlyMap<string, Totals>): Promise<TopProduct[]> {
  const products = await findProducts(db, [...sums.keys()]);
  const rows = products.map((product) => {
    const totals = sums.get(product.id) ?? NOTHING;
    return {
      product_id: product.id,
      product_title: product.title,
      recommended_price: toUsd(product.price_cents),
      times_sent: totals.sends,
      times_purchased: totals.purchases,
      total_revenue: toUsd(totals.cents),
      avg_sale_price: average(totals),
      conversion_rate: conversion(totals),
    };
  });
  return rows.toSorted(
    (a, b) =>
      b.total_revenue - a.total_revenue ||
      b.times_sent - a.times_sent ||
      a.product_title.localeCompare(b.product_title),
  );
}
