import type {
  AdminPerformance,
  AnalyticsDay,
  AnalyticsOverview,
  TopProduct,
} from '@stagedoor/contract/analytics';
import type { Database } from '../../db/database.ts';
import { toUsd } from '../products/cents.ts';
import { findAdmins, findBounds, findProducts, sumTotals, type Totals } from './analytics.store.ts';
import { type RangeQuery, resolveRange } from './range.ts';

/** One range, four ways to look at it; they add up to the same. */
export interface Analytics {
  readonly overview: AnalyticsOverview;
  readonly admins: AdminPerformance[];
  readonly products: TopProduct[];
  readonly days: AnalyticsDay[];
}

/**
 * What was sent and sold in a range. All of it is read at one instant.
 * @throws AppError 400 for a range that is too long
 */
export async function analyse(db: Database, query: RangeQuery): Promise<Analytics> {
  const range = resolveRange(query, await findBounds(db));
  const starts = range.days.map(({ start }) => new Date(start).toISOString());
  const rows = await sumTotals(db, range, starts);
  const byDay = new Map(rows.flatMap((row) => (row.day === null ? [] : [[row.day, row] as const])));
  const byAdmin = rows.filter((row) => row.admin_id !== null);
  const byProduct = rows.filter((row) => row.product_id !== null);
  const total = sum([...byDay.values()]);
  return {
    overview: {
      total_messages: total.messages,
      total_products_sent: total.sends,
      total_purchases: total.purchases,
      total_revenue: toUsd(total.cents),
      average_purchase_value: average(total),
      conversion_rate: conversion(total),
    },
    admins: await nameAdmins(db, byAdmin),
    products: await nameProducts(db, byProduct),
    days: range.days.map(({ date }, index) => {
      const day = byDay.get(index) ?? NOTHING;
      return {
        date,
        messages: day.messages,
        products_sent: day.sends,
        purchases: day.purchases,
        revenue: toUsd(day.cents),
      };
    }),
  };
}

const NOTHING: Totals = { messages: 0, sends: 0, purchases: 0, cents: 0 };

const sum = (rows: readonly Totals[]): Totals =>
  rows.reduce(
    (before, row) => ({
      messages: before.messages + row.messages,
      sends: before.sends + row.sends,
      purchases: before.purchases + row.purchases,
      cents: before.cents + row.cents,
    }),
    NOTHING,
  );

/** USD of one purchase; 0 without any. */
const average = ({ cents, purchases }: Totals): number =>
  purchases === 0 ? 0 : cents / purchases / 100;

/**
 * Purchases for each hundred products sent; 0 where none were. What is bought in a range may have been sent before it, so
 * that a short range can have more than 100.
 */
const conversion = ({ purchases, sends }: Totals): number =>
  sends === 0 ? 0 : (purchases / sends) * 100;

async function nameAdmins(
  db: Database,
  rows: readonly (Totals & { admin_id: string | null })[],
): Promise<AdminPerformance[]> {
  const byId = new Map(rows.map((row) => [row.admin_id, row]));
  const admins = await findAdmins(
    db,
    rows.map(({ admin_id }) => admin_id ?? ''),
  );
  return admins
    .map((admin) => {
      const totals = byId.get(admin.id) ?? NOTHING;
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
        reply_time_p50: null,
        reply_time_p90: null,
      };
    })
    .toSorted(
      (a, b) =>
        b.total_revenue - a.total_revenue ||
        b.messages_sent - a.messages_sent ||
        a.admin_codename.localeCompare(b.admin_codename),
    );
}

async function nameProducts(
  db: Database,
  rows: readonly (Totals & { product_id: string | null })[],
): Promise<TopProduct[]> {
  const byId = new Map(rows.map((row) => [row.product_id, row]));
  const products = await findProducts(
    db,
    rows.map(({ product_id }) => product_id ?? ''),
  );
  return products
    .map((product) => {
      const totals = byId.get(product.id) ?? NOTHING;
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
    })
    .toSorted(
      (a, b) =>
        b.total_revenue - a.total_revenue ||
        b.times_sent - a.times_sent ||
        a.product_title.localeCompare(b.product_title),
    );
}
