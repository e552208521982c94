import * as z from 'zod/mini';
import { get, managed, post } from '../endpoint.ts';
import {
  byId,
  dataOf,
  instant,
  lookupId,
  namedObject,
  pageOf,
  timestamp,
  timeZone,
} from '../primitives.ts';

/**
 * Totals for a date range. Tips and the mass messages themselves are not counted, but the offers and sales of mass messages are.
 * A sale counts on the day of its purchase. A refunded sale doesn't count, so a refund lowers the figures of the range that
 * contains the purchase. Amounts are in USD. A conversion rate is purchases per hundred products sent; it can exceed 100, because
 * a product bought in the range may have been sent before it. Averages and rates are not rounded, and are 0 when there is nothing
 * to divide by.
 */
export const AnalyticsOverview = namedObject('AnalyticsOverview', {
  /** Messages sent by the creator's side, except mass messages. */
  total_messages: z.int(),
  total_products_sent: z.int(),
  /** Sales that weren't refunded. */
  total_purchases: z.int(),
  total_revenue: z.number(),
  average_purchase_value: z.number(),
  conversion_rate: z.number(),
});
export type AnalyticsOverview = z.infer<typeof AnalyticsOverview>;

/**
 * The same figures for the previous period: the range moved back by whole calendar days (in its time zone), just far enough to
 * avoid an overlap. A range that ends at noon is thus compared with a period that ended at noon.
 */
export const PreviousPeriod = namedObject('PreviousPeriod', {
  start: timestamp,
  /** Exclusive. */
  end: timestamp,
  overview: AnalyticsOverview,
});
export type PreviousPeriod = z.infer<typeof PreviousPeriod>;

/**
 * The results of one kind of activity: messages that staff wrote themselves, mass messages, or tips. The three kinds add up
 * to all revenue. The sales of a mass message also count for the admin who started it.
 */
export const AnalyticsSource = namedObject('AnalyticsSource', {
  source: z.enum(['messages', 'mass_messages', 'tips']),
  messages_sent: z.int(),
  products_sent: z.int(),
  /** Sales or tips that weren't refunded. */
  payments: z.int(),
  revenue: z.number(),
});
export type AnalyticsSource = z.infer<typeof AnalyticsSource>;

/** One admin's figures. A sale belongs to the admin who sent the product. `messages_sent` excludes mass messages. */
export const AdminPerformance = namedObject('AdminPerformance', {
  admin_id: z.string(),
  admin_codename: z.string(),
  admin_email: z.string(),
  messages_sent: z.int(),
  products_sent: z.int(),
  products_purchased: z.int(),
  total_revenue: z.number(),
  avg_purchase_value: z.number(),
  conversion_rate: z.number(),
  /** Tips within 24 hours after this admin's message, if no other admin wrote in between. Not part of `total_revenue`. */
  tips: z.int(),
  tip_revenue: z.number(),
  /** Seconds from a fan's first unanswered message to this admin's reply; null without replies. */
  reply_time_p50: z.nullable(z.number()),
  reply_time_p90: z.nullable(z.number()),
});
export type AdminPerformance = z.infer<typeof AdminPerformance>;

export const TopProduct = namedObject('TopProduct', {
  product_id: z.string(),
  product_title: z.string(),
  /** The current catalog price. Messages may have used other prices. */
  recommended_price: z.number(),
  times_sent: z.int(),
  times_purchased: z.int(),
  total_revenue: z.number(),
  avg_sale_price: z.number(),
  conversion_rate: z.number(),
});
export type TopProduct = z.infer<typeof TopProduct>;

/** One day in the viewer's time zone. Days without activity are included with zeros. */
export const AnalyticsDay = namedObject('AnalyticsDay', {
  /** `YYYY-MM-DD` */
  date: z.string(),
  messages: z.int(),
  products_sent: z.int(),
  purchases: z.int(),
  revenue: z.number(),
});
export type AnalyticsDay = z.infer<typeof AnalyticsDay>;

/** A sale, with the message that contained the offer. */
export const Sale = namedObject('Sale', {
  id: z.string(),
  purchased_at: timestamp,
  refunded_at: z.nullable(timestamp),
  amount: z.number(),
  product_id: z.string(),
  product_title: z.string(),
  admin_id: z.string(),
  admin_codename: z.string(),
  fan_id: z.string(),
  /** Empty if the fan was erased. */
  fan_name: z.string(),
  conversation_id: z.string(),
  message_id: z.string(),
  payment_reference: z.string(),
});
export type Sale = z.infer<typeof Sale>;

const range = {
  /** At or after this instant. Default: all data of the last ten years. A range with more than ten years of data is refused. */
  start_date: z.optional(instant),
  /** Before this instant. Default: now. */
  end_date: z.optional(instant),
  /** The time zone that defines days. Default: UTC. */
  tz: z.optional(timeZone),
};

export const analyticsOverview = get('/api/admin/analytics/overview', {
  ...managed,
  summary: 'Messages sent, products sent and sales: in total, by admin, by product and by day.',
  query: z.object(range),
  replies: {
    200: z.object({
      overview: AnalyticsOverview,
      /** Admins who sent or sold something in the range, highest revenue first. */
      admin_performance: z.array(AdminPerformance),
      /** Products sent or sold in the range, highest revenue first; at most 100. */
      top_products: z.array(TopProduct),
      /** Messages, mass messages and tips, in this order. */
      sources: z.array(AnalyticsSource),
      series: z.array(AnalyticsDay),
      /** Null if the range has no start date or is empty, or if there can be no data before it. */
      previous: z.nullable(PreviousPeriod),
    }),
  },
});

export const listSales = get('/api/admin/analytics/sales', {
  ...managed,
  summary: 'All sales in the range including refunded ones, newest first.',
  query: z.object({
    ...range,
    admin_id: z.optional(lookupId),
    product_id: z.optional(lookupId),
    cursor: z.optional(lookupId),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 50),
  }),
  replies: { 200: pageOf(Sale) },
});

/** The maximum number of double payments in a list. */
export const DOUBLE_PAYMENTS_LISTED = 200;

/** A payment for a product that the fan already owned, recorded before such payments were refused. */
export const DoublePayment = namedObject('DoublePayment', {
  ...Sale.shape,
  /** Who returns the money: Stripe, on our request, or the platform, which is notified of the refund. */
  pays_back: z.enum(['stripe', 'platform']),
  /** When the refund was requested from Stripe; null if it wasn't. */
  refund_requested_at: z.nullable(timestamp),
});
export type DoublePayment = z.infer<typeof DoublePayment>;

export const listDoublePayments = get('/api/admin/analytics/double-payments', {
  ...managed,
  summary: `Payments, except refunded ones, for products that the fan already owned; the newest ${DOUBLE_PAYMENTS_LISTED}.`,
  replies: { 200: z.object({ data: z.array(DoublePayment) }) },
});

export const refundDoublePayment = post('/api/admin/analytics/double-payments/{id}/refund', {
  ...managed,
  summary:
    'Refund a double payment. A Stripe payment is refunded through Stripe and counts as refunded once Stripe confirms; any other payment is recorded as refunded, and the platform has to return the money.',
  params: byId,
  replies: {
    200: dataOf({ state: z.enum(['requested', 'refunded']) }),
  },
  errors: ['purchase_not_found', 'payment_unavailable'],
});

/** The table that an export contains. */
export const AnalyticsReport = z.enum(['admins', 'products', 'days', 'sources', 'sales']);
export type AnalyticsReport = z.infer<typeof AnalyticsReport>;

export const exportAnalytics = get('/api/admin/analytics/export', {
  ...managed,
  summary: 'An analytics table as CSV (RFC 4180, UTF-8). Its totals match the overview.',
  query: z.object({ ...range, report: AnalyticsReport }),
  download: 'text/csv',
  replies: { 200: z.string() },
});
