import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { updateProduct } from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  buildStaff,
} from '../../../test/factories.ts';
import { buildOffer, buildProduct } from '../../../test/worlds/catalogue.ts';
import { saleOf } from '../../../test/worlds/market.ts';
import { openShop } from '../../../test/worlds/shop.ts';

test('without messages all figures are zero and there are no days', async () => {
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
    sources: ['messages', 'mass_messages', 'tips'].map((source) => ({
      source,
      messages_sent: 0,
      products_sent: 0,
      payments: 0,
      revenue: 0,
    })),
    admin_performance: [],
    top_products: [],
    series: [],
    previous: null,
  });
  expect(await sales()).toEqual({ data: [], next_cursor: null });
});

test('a sale is credited to the sender of the product, at the message’s price', async () => {
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
  // The series has a second day if midnight passed during the test.
  expect(series[0]?.date).toBe(bought.created_at.slice(0, 10));
  expect(series.slice(0, 1)).toMatchObject([
    {
      messages: 3,
      products_sent: 2,
      purchases: 1,
      revenue: 12.5,
    },
  ]);
});

test('a refund removes the sale from the day of its purchase; the list keeps it', async () => {
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
    // The products were sent after this day, so there is nothing to divide by.
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
  expect((await report('days', day)).text).toContain('2026-03-29,0,0,1,10.01\r\n');
});

test('only the first of several concurrent replies ends the wait', async () => {
  const { app, manager, overview } = await openShop();
  const staff = await Promise.all(Array.from({ length: 6 }, () => buildStaff(app)));
  for (let round = 0; round < 5; round++) {
    const { id, fan } = await buildConversation(app);
    await buildFanMessage(app, fan);
    await Promise.all(staff.map((author) => buildReply(author, id)));
  }
  const { rows } = await sql<{ answers: number; waits: number }>`
    select count(*) as answers, count(waited_since) as waits from sent_messages`.execute(
    app.db.kysely,
  );
  expect(rows).toEqual([{ answers: 30, waits: 5 }]);
  const { admin_performance } = await overview();
  const answered = admin_performance.filter((row) => row.reply_time_p50 !== null);
  expect(answered.length).toBeGreaterThan(0);
  // The first message in a conversation is not a reply.
  const quiet = await buildConversation(app, { messages: [] });
  await buildReply(manager, quiet.id);
  const opened = (await overview()).admin_performance.find(
    ({ admin_id }) => admin_id === manager.admin.id,
  );
  expect(opened).toMatchObject({ messages_sent: 1, reply_time_p50: null, reply_time_p90: null });
});

test('days are in the viewer’s time zone, also across clock changes, and include empty ones', async () => {
  const { app, buildDeal, overview } = await openShop();
  // In Lisbon the 29th had 23 hours, from 0:00 to 23:00 UTC.
  for (const purchased_at of [
    '2026-03-28T23:59:59.999Z',
    '2026-03-29T00:00:00.000Z',
    '2026-03-29T22:59:59.999Z',
    '2026-03-29T23:00:00.000Z',
  ]) {
    const { sale } = await buildDeal(1.5);
    await app.platform.call(recordPurchase, { body: { ...sale, purchased_at } });
  }
  const { series } = await overview({
    start_date: '2026-03-28T00:00:00Z',
    end_date: '2026-03-31T23:00:00Z',
    tz: 'Europe/Lisbon',
  });
  expect(series.map(({ date, purchases, revenue }) => [date, purchases, revenue])).toEqual([
    ['2026-03-28', 1, 1.5],
    ['2026-03-29', 2, 3],
    ['2026-03-30', 1, 1.5],
    ['2026-03-31', 0, 0],
  ]);
});

test('a range includes its start and excludes its end, to the millisecond', async () => {
  const { app, buildDeal, overview } = await openShop();
  const { sale } = await buildDeal();
  const purchased_at = '2026-05-05T05:05:05.005Z';
  await app.platform.call(recordPurchase, { body: { ...sale, purchased_at } });
  const purchases = async (start_date: string, end_date: string) =>
    (await overview({ start_date, end_date })).overview.total_purchases;
  expect(await purchases('2026-05-05T05:05:05.005Z', '2026-05-05T05:05:05.006Z')).toBe(1);
  expect(await purchases('2026-05-05T07:05:05.005+02:00', '2026-07-01T00:00:00Z')).toBe(1);
  expect(await purchases('2026-05-05T05:05:05.006Z', '2026-07-01T00:00:00Z')).toBe(0);
  expect(await purchases('2026-05-01T00:00:00Z', '2026-05-05T05:05:05.005Z')).toBe(0);
  expect(await purchases('2026-07-01T00:00:00Z', '2026-05-01T00:00:00Z')).toBe(0);
});

test('the period before is compared to the cent, at the same time of day, across a clock change', async () => {
  const { app, seller, buildDeal, overview } = await openShop();
  const conversation = await buildConversation(app);
  for (let n = 0; n < 4; n += 1) await buildReply(seller, conversation.id);
  // In Lisbon the clock was set forward on the 29th.
  const sold: readonly (readonly [string, number])[] = [
    ['2026-03-23T11:59:59.999Z', 1.01],
    ['2026-03-24T00:00:00.000Z', 10.1],
    ['2026-03-27T17:07:00.000Z', 20.02],
    ['2026-03-28T11:59:59.999Z', 3.33],
    ['2026-03-28T12:00:00.000Z', 40.4],
    ['2026-03-29T00:00:00.000Z', 55.5],
    ['2026-04-02T10:59:59.999Z', 66.66],
    ['2026-04-02T11:00:00.000Z', 77.77],
  ];
  for (const [purchased_at, price] of sold) {
    const { sale } = await buildDeal(price);
    await app.platform.call(recordPurchase, { body: { ...sale, purchased_at } });
  }
  const refunded = await buildDeal(99.99);
  const { sale } = refunded;
  await app.platform.call(recordPurchase, {
    body: { ...sale, purchased_at: '2026-03-25T12:00:00Z' },
  });
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  const moved = sql`update sent_messages set sent_at = '2026-03-26T08:00:00Z'
    where admin_id = ${seller.admin.id}`;
  await moved.execute(app.db.kysely);
  await sql`update product_sends set sent_at = '2026-03-26T08:00:00Z'`.execute(app.db.kysely);

  // Five days, from midnight to noon in Lisbon.
  const range = { start_date: '2026-03-29T00:00:00Z', end_date: '2026-04-02T11:00:00Z' };
  const zone = { ...range, tz: 'Europe/Lisbon' };
  for (const isSummedUp of [false, true]) {
    await (isSummedUp
      ? sql`select sum_up_anew()`
      : sql`update analytics_progress set summed_up_to = 'epoch'`
    ).execute(app.db.kysely);
    const { overview: current, previous } = await overview(zone);
    expect(current).toMatchObject({ total_purchases: 2, total_revenue: 122.16 });
    expect(previous).toMatchObject({
      start: '2026-03-24T00:00:00.000Z',
      end: '2026-03-28T12:00:00.000Z',
    });
    const { start, end } = previous ?? { start: '', end: '' };
    const { rows } = await sql<Record<string, number>>`
      select (select count(*) from sent_messages where sent_at >= ${start} and sent_at < ${end}) as total_messages,
        (select count(*) from product_sends where sent_at >= ${start} and sent_at < ${end}) as total_products_sent,
        count(*) as total_purchases, sum(amount_cents)::float8 / 100 as total_revenue,
        avg(amount_cents)::float8 / 100 as average_purchase_value
      from purchases where refunded_at is null and purchased_at >= ${start} and purchased_at < ${end}`.execute(
      app.db.kysely,
    );
    expect(rows).toMatchObject([{ total_purchases: 3, total_revenue: 33.45 }]);
    expect(previous?.overview).toMatchObject(rows[0] ?? {});
    expect(previous?.overview.total_messages).toBe(4 + sold.length + 1);
    expect(previous?.overview.conversion_rate).toBeCloseTo((3 / 9) * 100);
  }
});

test('all time has no period before, and an empty one is all zero', async () => {
  const { overview } = await openShop();
  expect((await overview({ tz: 'Asia/Tokyo' })).previous).toBeNull();
  expect((await overview({ start_date: '9999-12-31T23:59:59Z' })).previous).toBeNull();
  const day = { start_date: '2026-03-29T00:00:00Z', end_date: '2026-03-30T00:00:00Z' };
  expect((await overview(day)).previous).toEqual({
    start: '2026-03-28T00:00:00.000Z',
    end: '2026-03-29T00:00:00.000Z',
    overview: {
      total_messages: 0,
      total_products_sent: 0,
      total_purchases: 0,
      total_revenue: 0,
      average_purchase_value: 0,
      conversion_rate: 0,
    },
  });
  const first = { start_date: '1970-01-01T00:00:00Z', end_date: '1970-01-02T00:00:00Z' };
  expect((await overview(first)).previous).toBeNull();
});

test('a range may begin long before the first message', async () => {
  const { overview } = await openShop();
  const { total_messages } = (await overview({})).overview;
  expect((await overview({ start_date: '1990-01-01T00:00:00Z' })).overview).toMatchObject({
    total_messages,
  });
});

test('an invalid range is refused, whatever its year', async () => {
  const { manager, overview } = await openShop();
  for (const query of [
    { start_date: 'yesterday' },
    { start_date: '1969-12-31T23:59:59Z' },
    { end_date: '9999-12-31T23:59:59-01:00' },
    { start_date: '+275000-01-01T00:00:00Z' },
    { tz: 'Europe/Atlantis' },
  ]) {
    const refusal = await manager.client.refused(analyticsOverview, { query });
    expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(Object.keys(refusal.fields)).toEqual(Object.keys(query));
  }
  for (const query of [
    { start_date: '9999-12-31T23:59:59Z' },
    { end_date: '1970-01-01T00:00:00Z' },
    { start_date: '1970-01-01T00:00:00Z', end_date: '1970-02-01T00:00:00Z' },
  ]) {
    expect((await overview(query)).overview.total_messages).toBe(0);
  }
});
