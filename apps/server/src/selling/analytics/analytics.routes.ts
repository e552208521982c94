import {
  analyticsOverview,
  exportAnalytics,
  listSales as listSalesEndpoint,
} from '@stagedoor/contract/selling/analytics';
import { type Database, isUuid } from '../../db/database.ts';
import { pageOf, timeCursors } from '../../http/cursor.ts';
import { type Router, reply } from '../../http/route.ts';
import { analyze, analyzePrevious } from './analytics.service.ts';
import { findBounds } from './analytics.store.ts';
import { resolveRange } from './range.ts';
import { writeReport } from './reports.ts';
import { listSales } from './sales.store.ts';

const cursors = timeCursors(3);

/** The maximum number of products in the overview; an export lists all. */
const TOP_PRODUCTS = 100;

/** Binds message and sales analytics, for admins who can manage admins. */
export function bindAnalyticsRoutes(router: Router, db: Database): void {
  router.bind(analyticsOverview, async ({ query }) => {
    const [{ overview, admins, products, days, sources }, previous] = await db.readStale((source) =>
      Promise.all([analyze(source, query), analyzePrevious(source, query)]),
    );
    return reply(200, {
      overview,
      admin_performance: admins,
      top_products: products.slice(0, TOP_PRODUCTS),
      sources,
      series: days,
      previous,
    });
  });

  router.bind(listSalesEndpoint, async ({ query }) => {
    const { start, end } = resolveRange(query, await db.readStale(findBounds));
    const cursor = query.cursor ? cursors.decode(query.cursor) : null;
    const { admin_id: adminId = null, product_id: productId = null, limit } = query;
    // Ids are UUIDs, so anything else matches nothing.
    if ((adminId && !isUuid(adminId)) || (productId && !isUuid(productId))) {
      return reply(200, { data: [], next_cursor: null });
    }
    const asked = {
      start,
      end,
      adminId: adminId || null,
      productId: productId || null,
      cursor,
      limit: limit + 1,
    };
    const found = await db.readStale((source) => listSales(source, asked));
    const { page, next_cursor } = pageOf(found, limit, ({ purchased_at, id }) =>
      cursors.encode({ at: purchased_at, id }),
    );
    return reply(200, { data: page, next_cursor });
  });

  router.bind(exportAnalytics, async ({ query }) =>
    reply(200, await writeReport(db, query.report, query)),
  );
}
