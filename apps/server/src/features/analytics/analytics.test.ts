import { analyticsOverview, exportAnalytics, listSales } from '@stagedoor/contract/analytics';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform';
import { updateProduct } from '@stagedoor/contract/products';
import { afterAll, expect, test } from 'vitest';
import { buildOffer, buildProduct } from '../../../test/catalogue.ts';
import { buildConversation, buildReply, buildStaff } from '../../../test/factories.ts';
import { openMarket, saleOf } from '../../../test/market.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';

const apps: TestApp[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

/** An installation in which nothing was sent yet. */
async function openShop() {
  const app = await startTestApp();
  apps.push(app);
  const market = await openMarket(app);
  const { client } = market.manager;
  return {
    ...market,
    app,
    overview: async (query: { start_date?: string; end_date?: string; tz?: string } = {}) =>
      (await client.call(analyticsOverview, { query })).body,
    sales: async (query: Record<string, string | number> = {}) =>
      (await client.call(listSales, { query: query as never })).body,
    report: async (report: 'admins' | 'products' | 'days' | 'sales', query = {}) =>
      (await client.call(exportAnalytics, { query: { ...query, report } })).text,
  };
}

test('where nothing was sent all is zero, and there are no days', async () => {
  const { overview, sales } = await openShop();
  expect(await overview()).toEqual({
    overview: {
      total_messages: 0,
      total_products_sent: 0,
      total_purchases: 0,
      total_revenue: 0,
      average_purchase_value: 0,
      conversion_rate: 0,
    },
    admin_performance: [],
    top_products: [],
    series: [],
  });
  expect(await sales()).toEqual({ data: [], next_cursor: null });
});

test('a sale is credited to who sent the product, at the price that the message asked', async () => {
  const { app, manager, seller, overview } = await openShop();
  const other = await buildStaff(app);
  const product = await buildProduct(manager, { price: '20.00' });
  const conversation = await buildConversation(app);
  const bought = await buildOffer(seller, conversation.id, [product], 12.5);
  await buildOffer(seller, conversation.id, [product], 20);
  await buildReply(other, conversation.id);
  await manager.client.call(updateProduct, { params: { id: product.id }, body: { price: 30 } });
  await app.platform.call(recordPurchase, { body: saleOf(conversation.fan, bought, 12.5) });

  const { overview: total, admin_performance, top_products, series } = await overview();
  expect(total).toEqual({
    total_messages: 3,
    total_products_sent: 2,
    total_purchases: 1,
    total_revenue: 12.5,
    average_purchase_value: 12.5,
    conversion_rate: 50,
  });
  expect(admin_performance).toMatchObject([
    {
      admin_id: seller.admin.id,
      admin_codename: seller.admin.codename,
      admin_email: seller.admin.email,
      messages_sent: 2,
      products_sent: 2,
      products_purchased: 1,
      total_revenue: 12.5,
      avg_purchase_value: 12.5,
      conversion_rate: 50,
    },
    { admin_id: other.admin.id, messages_sent: 1, products_sent: 0, conversion_rate: 0 },
  ]);
  expect(top_products).toEqual([
    {
      product_id: product.id,
      product_title: product.title,
      recommended_price: 30,
      times_sent: 2,
      times_purchased: 1,
      total_revenue: 12.5,
      avg_sale_price: 12.5,
      conversion_rate: 50,
    },
  ]);
  expect(series).toEqual([
    {
      date: new Date().toISOString().slice(0, 10),
      messages: 3,
      products_sent: 2,
      purchases: 1,
      revenue: 12.5,
    },
  ]);
});

test('a refund takes the sale off the day of its purchase; the list keeps it', async () => {
  const { app, buildDeal, overview, sales, report } = await openShop();
  const [kept, returned] = [await buildDeal(10.01), await buildDeal(20.02)];
  const purchased_at = '2026-03-29T00:30:00.000Z';
  for (const { sale } of [kept, returned]) {
    await app.platform.call(recordPurchase, { body: { ...sale, purchased_at } });
  }
  const day = { start_date: '2026-03-29T00:00:00Z', end_date: '2026-03-30T00:00:00Z' };
  expect((await overview(day)).overview).toMatchObject({
    total_purchases: 2,
    total_revenue: 30.03,
    average_purchase_value: 15.015,
    // Sent long after: nothing to divide by.
    conversion_rate: 0,
  });
  const { payment_reference } = returned.sale;
  const { body: refund } = await app.platform.call(recordRefund, { body: { payment_reference } });
  const after = await overview(day);
  expect(after.overview).toMatchObject({ total_purchases: 1, total_revenue: 10.01 });
  expect(after.series).toMatchObject([{ date: '2026-03-29', purchases: 1, revenue: 10.01 }]);
  const { data } = await sales(day);
  expect(data).toHaveLength(2);
  const sold = (deal: typeof kept) => data.find(({ message_id }) => message_id === deal.message.id);
  expect(sold(kept)).toMatchObject({ amount: 10.01, purchased_at, refunded_at: null });
  expect(sold(returned)).toMatchObject({ amount: 20.02, refunded_at: refund.data.refunded_at });
  expect(await report('days', day)).toContain('2026-03-29,0,0,1,10.01\r\n');
});
