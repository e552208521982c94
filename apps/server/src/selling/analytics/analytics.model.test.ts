import { analyticsOverview, exportAnalytics } from '@stagedoor/contract/selling/analytics';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { firstOf, recount } from '../../../test/worlds/sales-history.ts';
import {
  happening,
  longAgo,
  moveMessages,
  openSalesWorld,
  type SalesWorld,
} from '../../../test/worlds/sales-world.ts';
import { sumUpDays } from './analytics.store.ts';

const DAY_MS = 86_400_000;
const ZONES = [
  'UTC',
  'Europe/Lisbon',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  // Midnight is skipped once a year in Cairo, and repeated in the Azores.
  'Africa/Cairo',
  'Atlantic/Azores',
];

const asked = fc.record({
  start: fc.option(longAgo),
  end: fc.option(longAgo),
  tz: fc.constantFrom(...ZONES),
});

interface Asked {
  /** Milliseconds since the epoch; null: left out. */
  readonly start: number | null;
  readonly end: number | null;
  readonly tz: string;
}

/** Compares the server's figures of a range with a recount of the history. */
async function compare(world: SalesWorld, query: Asked): Promise<void> {
  const { manager, staff, products, history } = world;
  const given = {
    tz: query.tz,
    ...(query.start !== null && { start_date: new Date(query.start).toISOString() }),
    ...(query.end !== null && { end_date: new Date(query.end).toISOString() }),
  };
  const { body } = await manager.client.call(analyticsOverview, { query: given });
  const end = query.end ?? Date.now() + 1_000;
  const start = query.start ?? firstOf(history) ?? end;
  const expected = recount(history, { start, end }, query.tz);
  const { total } = expected;
  const rate = ({ purchases, sends }: typeof total) => (sends ? (purchases / sends) * 100 : 0);
  const average = (sums: typeof total) => (sums.purchases ? sums.cents / sums.purchases / 100 : 0);
  expect(body.overview).toEqual({
    total_messages: total.messages,
    total_products_sent: total.sends,
    total_purchases: total.purchases,
    total_revenue: total.cents / 100,
    average_purchase_value: average(total),
    conversion_rate: rate(total),
  });
  for (const { admin } of staff) {
    const sums = expected.ofAdmin(admin.id);
    const row = body.admin_performance.find(({ admin_id }) => admin_id === admin.id);
    if (row === undefined) expect([sums.messages, sums.purchases]).toEqual([0, 0]);
    else {
      expect(row).toMatchObject({
        messages_sent: sums.messages,
        products_sent: sums.sends,
        products_purchased: sums.purchases,
        total_revenue: sums.cents / 100,
        avg_purchase_value: average(sums),
        conversion_rate: rate(sums),
      });
      expectAbout(row.reply_time_p50, sums.waits, 50);
      expectAbout(row.reply_time_p90, sums.waits, 90);
    }
  }
  for (const { id } of products) {
    const sums = expected.ofProduct(id);
    const row = body.top_products.find(({ product_id }) => product_id === id);
    if (row === undefined) expect([sums.sends, sums.purchases]).toEqual([0, 0]);
    else {
      expect(row).toMatchObject({
        times_sent: sums.sends,
        times_purchased: sums.purchases,
        total_revenue: sums.cents / 100,
        avg_sale_price: average(sums),
        conversion_rate: rate(sums),
      });
    }
  }
  const days = start >= end ? [] : expected.days;
  const known = days.map((day) => ({
    date: day.date,
    messages: day.messages,
    products_sent: day.sends,
    purchases: day.purchases,
    revenue: day.cents / 100,
  }));
  // A day may have begun between the two requests.
  expect(body.series).toEqual(known.slice(0, Math.max(body.series.length, known.length - 1)));
  if (query.end === null) await compareReports(world, given, total);
}

/** Expects the nearest-rank percentile, within the precision of the buckets. */
function expectAbout(seconds: number | null, waits: readonly number[], percentage: number): void {
  const exact = waits[Math.ceil((waits.length * percentage) / 100) - 1];
  if (exact === undefined) {
    expect(seconds).toBeNull();
    return;
  }
  const ratio = (seconds ?? 0) / Math.max(exact, 1);
  expect(ratio).toBeGreaterThan(1 / 1.045);
  expect(ratio).toBeLessThan(1.045);
}

/** Checks that the exports of a range add up to its overview. */
async function compareReports(
  { manager }: SalesWorld,
  range: object,
  total: { messages: number; sends: number; purchases: number; cents: number },
): Promise<void> {
  const table = async (report: 'admins' | 'products' | 'days' | 'sales') => {
    const { text } = await manager.client.call(exportAnalytics, { query: { ...range, report } });
    const [head = '', ...lines] = text.trimEnd().split('\r\n');
    const columns = head.split(',');
    const sum = (column: string) =>
      Math.round(
        lines.reduce(
          (sum, line) => sum + 100 * Number(line.split(',')[columns.indexOf(column)]),
          0,
        ),
      ) / 100;
    return { sum };
  };
  const [admins, products, days, sales] = await Promise.all([
    table('admins'),
    table('products'),
    table('days'),
    table('sales'),
  ]);
  const revenue = total.cents / 100;
  expect([admins.sum('messages_sent'), days.sum('messages')]).toEqual([
    total.messages,
    total.messages,
  ]);
  expect([
    admins.sum('products_sent'),
    products.sum('times_sent'),
    days.sum('products_sent'),
  ]).toEqual([total.sends, total.sends, total.sends]);
  expect([
    admins.sum('products_purchased'),
    products.sum('times_purchased'),
    days.sum('purchases'),
  ]).toEqual([total.purchases, total.purchases, total.purchases]);
  expect([
    admins.sum('total_revenue'),
    products.sum('total_revenue'),
    days.sum('revenue'),
    sales.sum('revenue'),
  ]).toEqual([revenue, revenue, revenue, revenue]);
}

const everyRow = async (app: TestApp) =>
  (
    await sql`select admin_id, sent_at, waited_since from sent_messages order by sent_at, admin_id`.execute(
      app.db.kysely,
    )
  ).rows;

test('for any history and any range, the figures equal a recount', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 10, maxLength: 40 }),
      fc.array(longAgo, { minLength: 10, maxLength: 60 }),
      fc.array(happening, { minLength: 1, maxLength: 15 }),
      fc.array(asked, { minLength: 4, maxLength: 6 }),
      longAgo,
      async (before, times, after, ranges, midway) => {
        const app = await startTestApp();
        const run = (text: ReturnType<typeof sql<unknown>>) => text.execute(app.db.kysely);
        try {
          const world = await openSalesWorld(app);
          const check = async () => {
            await compare(world, { start: null, end: null, tz: 'UTC' });
            for (const range of ranges) await compare(world, range);
          };
          for (const happened of before) await world.happen(happened);
          await check();

          // The rows stored with each send equal those derived from the messages.
          const noted = await everyRow(app);
          await run(sql`delete from sent_messages`);
          await run(sql`select note_sent_messages()`);
          expect(await everyRow(app)).toEqual(noted);

          await moveMessages(app, world.history, times);
          await run(sql`delete from sent_messages`);
          await run(sql`select note_sent_messages(), sum_up_anew()`);
          await check();

          // Adds sales and refunds to days that already have stored sums.
          for (const happened of after) await world.happen(happened);
          await check();

          // Sums up in two steps instead of one. The second uses the server's own function.
          await run(sql`select sum_up_anew()`);
          const day = new Date(midway - (midway % DAY_MS)).toISOString();
          for (const table of ['quarters', 'admin_days', 'product_days', 'waits']) {
            await run(sql`delete from ${sql.table(`analytics_${table}`)}`);
          }
          await run(sql`update analytics_progress set summed_up_to = '-infinity'`);
          await run(sql`select sum_up_days(${day})`);
          await check();
          await sumUpDays(app.db);
          await check();

          await run(sql`delete from fans`);
          await check();
        } finally {
          await app.close();
        }
      },
    ),
    // Each run starts an installation, so shrinking a failure would take too long.
    { numRuns: 4, endOnFailure: true },
  );
});
