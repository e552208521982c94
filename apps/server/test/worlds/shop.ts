import type { EndpointInput } from '@stagedoor/contract/endpoint';
import {
  analyticsOverview,
  exportAnalytics,
  listSales,
} from '@stagedoor/contract/selling/analytics';
import { afterAll } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.ts';
import { openMarket } from './market.ts';

type Range = EndpointInput<typeof analyticsOverview>['query'];

const apps: TestApp[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

/** Opens an installation without messages, and its manager's view of the analytics. */
export async function openShop() {
  const app = await startTestApp();
  apps.push(app);
  const market = await openMarket(app);
  const { client } = market.manager;
  return {
    ...market,
    app,
    overview: async (query: Range = {}) => (await client.call(analyticsOverview, { query })).body,
    sales: async (query: Partial<EndpointInput<typeof listSales>['query']> = {}) =>
      (await client.call(listSales, { query })).body,
    report: async (
      report: EndpointInput<typeof exportAnalytics>['query']['report'],
      range: Range = {},
    ) => client.call(exportAnalytics, { query: { ...range, report } }),
  };
}
