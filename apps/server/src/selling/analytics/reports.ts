import { Readable } from 'node:stream';
import type { AnalyticsReport, Sale } from '@stagedoor/contract/selling/analytics';
import type { Database } from '../../db/database.ts';
import { type CsvCell, streamCsv, toCsv } from '../../http/csv.ts';
import type { TimeCursor } from '../../http/cursor.ts';
import { type Analytics, analyze } from './analytics.service.ts';
import { findBounds } from './analytics.store.ts';
import { type RangeQuery, resolveRange, type Span } from './range.ts';
import { listSales, type SalesQuery } from './sales.store.ts';

/** The number of sales that are read and held in memory at a time. */
const SALES_BATCH = 5_000;

/**
 * Returns an analytics table as CSV. Its totals match the overview of the same range; amounts are in USD. Sales, which can be many,
 * are streamed.
 * @throws AppError 400 for a range that is too long
 */
export async function writeReport(
  db: Database,
  report: AnalyticsReport,
  query: RangeQuery & { readonly tz?: string | undefined },
): Promise<string | Readable> {
  if (report !== 'sales')
    return TABLES[report](await db.readStale((source) => analyze(source, query)));
  const span = resolveRange(query, await db.readStale(findBounds));
  return Readable.from(streamCsv(SALES_HEADER, batchesOf(db, span)));
}

async function* batchesOf(db: Database, span: Span): AsyncGenerator<CsvCell[][]> {
  for (let cursor: TimeCursor | null = null; ; ) {
    const page: SalesQuery = {
      ...span,
      adminId: null,
      productId: null,
      cursor,
      limit: SALES_BATCH,
    };
    const sales = await db.readStale((source) => listSales(source, page));
    yield sales.map(saleCells);
    const last = sales.at(-1);
    if (last === undefined || sales.length < SALES_BATCH) return;
    cursor = { at: last.purchased_at, id: last.id };
  }
}

const money = (usd: number): string => usd.toFixed(2);
const rate = (percentage: number): string => percentage.toFixed(1);
const seconds = (value: number | null): CsvCell => (value === null ? null : Math.round(value));

const TABLES: Record<Exclude<AnalyticsReport, 'sales'>, (analytics: Analytics) => string> = {
  admins: ({ admins }) =>
    toCsv(
      [
        'codename',
        'email',
        'messages_sent',
        'products_sent',
        'products_purchased',
        'total_revenue',
        'avg_purchase_value',
        'conversion_rate',
        'reply_time_p50',
        'reply_time_p90',
        'tips',
        'tip_revenue',
      ],
      admins.map((row) => [
        row.admin_codename,
        row.admin_email,
        row.messages_sent,
        row.products_sent,
        row.products_purchased,
        money(row.total_revenue),
        money(row.avg_purchase_value),
        rate(row.conversion_rate),
        seconds(row.reply_time_p50),
        seconds(row.reply_time_p90),
        row.tips,
        money(row.tip_revenue),
      ]),
    ),
  products: ({ products }) =>
    toCsv(
      [
        'product',
        'recommended_price',
        'times_sent',
        'times_purchased',
        'total_revenue',
        'avg_sale_price',
        'conversion_rate',
      ],
      products.map((row) => [
        row.product_title,
        money(row.recommended_price),
        row.times_sent,
        row.times_purchased,
        money(row.total_revenue),
        money(row.avg_sale_price),
        rate(row.conversion_rate),
      ]),
    ),
  sources: ({ sources }) =>
    toCsv(
      ['source', 'messages_sent', 'products_sent', 'payments', 'revenue'],
      sources.map((row) => [
        row.source,
        row.messages_sent,
        row.products_sent,
        row.payments,
        money(row.revenue),
      ]),
    ),
  days: ({ days }) =>
    toCsv(
      ['date', 'messages', 'products_sent', 'purchases', 'revenue'],
      days.map((row) => [
        row.date,
        row.messages,
        row.products_sent,
        row.purchases,
        money(row.revenue),
      ]),
    ),
};

const SALES_HEADER = [
  'purchased_at',
  'refunded_at',
  'amount',
  'revenue',
  'product',
  'admin',
  'fan',
  'payment_reference',
  'conversation_id',
  'message_id',
];

/** Returns a sale's row. A refunded sale keeps its amount, with a revenue of 0. */
const saleCells = (sale: Sale): CsvCell[] => [
  sale.purchased_at,
  sale.refunded_at,
  money(sale.amount),
  money(sale.refunded_at === null ? sale.amount : 0),
  sale.product_title,
  sale.admin_codename,
  sale.fan_name,
  sale.payment_reference,
  sale.conversation_id,
  sale.message_id,
];
