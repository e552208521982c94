import {
  type AnalyticsReport,
  analyticsOverview,
  exportAnalytics,
  listDoublePayments,
  listSales,
} from '@stagedoor/contract/selling/analytics';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';
import type { RangeQuery } from './range.ts';

/** Returns the query for the messages and sales of a range. While another range loads, the previous data stays. */
export const overviewOptions = (query: RangeQuery) =>
  queryOptions({
    queryKey: ['analytics', 'overview', query],
    queryFn: ({ signal }) => call(analyticsOverview, { query, signal }),
    placeholderData: keepPreviousData,
  });

/** A filter for sales: the product, or the admin who sent it. Empty for all sales. */
export interface SalesFilter {
  admin_id?: string;
  product_id?: string;
}

/** Returns the query for the sales of a range, newest first, page by page. */
export const salesOptions = (query: RangeQuery & SalesFilter) =>
  infiniteQueryOptions({
    queryKey: ['analytics', 'sales', query],
    queryFn: ({ signal, pageParam }) =>
      call(listSales, { query: { ...query, ...pageParam }, signal }),
    ...byCursor,
  });

/** Payments for products that the fan already owned, independent of the range. */
export const doublePaymentsOptions = queryOptions({
  queryKey: ['analytics', 'doublePayments'],
  queryFn: async ({ signal }) => (await call(listDoublePayments, { signal })).data,
});

/** Returns a report of the range as CSV. */
export function fetchReport(report: AnalyticsReport, query: RangeQuery): Promise<string> {
  return call(exportAnalytics, { query: { ...query, report } });
}
