import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listTemplates } from '@stagedoor/contract/messaging/templates';
import { eraseFan, listFanMessages } from '@stagedoor/contract/platform/platform';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { listCampaigns } from '@stagedoor/contract/selling/campaigns';
import { listContests, listEarnings, listPeriods } from '@stagedoor/contract/selling/earnings';
import { createFolder, listProducts } from '@stagedoor/contract/selling/products';
import { listAdmins, removeAdmin } from '@stagedoor/contract/team/admins';
import { listShifts, shiftFigures } from '@stagedoor/contract/team/shifts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildStaff } from '../test/factories.ts';
import { sharedApp, startTestApp } from '../test/test-app.ts';
import { createSampleData } from './sample-data.ts';
import { verifyLedger } from './selling/earnings/verify-ledger.ts';
import { openLocalStorage } from './storage/local-storage.ts';

const DAY_MS = 86_400_000;

const files = await mkdtemp(path.join(tmpdir(), 'stagedoor-sample-'));
const storage = await openLocalStorage(files);
afterAll(() => rm(files, { recursive: true }));
const app = await sharedApp({ storage });
const staff = await buildStaff(app);
beforeAll(() => createSampleData({ db: app.db, storage }));

const products = async () => (await staff.client.call(listProducts)).body.data;
const count = async (table: string) => {
  const { rows } = await sql<{
    rows: number;
  }>`select count(*) as rows from ${sql.table(table)}`.execute(app.db.kysely);
  return rows[0]?.rows;
};

test('the sample catalog has eight products, each with a working picture and preview', async () => {
  const listed = await products();
  expect(listed).toHaveLength(8);
  for (const { full_s3_key, preview_s3_key } of listed) {
    expect(await storage.size(full_s3_key)).toBeGreaterThan(5_000);
    expect(await storage.size(preview_s3_key)).toBeLessThan(5_000);
  }
  expect(await count('storage_garbage')).toBe(0);
});

test('the documentation is served although the sample fans’ client contains a copy of the contract', async () => {
  expect((await app.anonymous.raw('GET', '/api/docs/json')).status).toBe(200);
});

test('some products were sent, and some of those bought; fans see them accordingly', async () => {
  const bought = await app.db.kysely
    .selectFrom('purchases as p')
    .innerJoin('fans as f', 'f.id', 'p.fan_id')
    .select(['f.external_id', 'p.attachment_id', 'p.message_id', 'p.refunded_at'])
    .execute();
  expect(bought.length).toBeGreaterThan(20);
  expect(await count('product_sends')).toBeGreaterThan(bought.length);
  const [sale] = bought.filter(({ refunded_at }) => refunded_at === null);
  const message = await app.db.kysely
    .selectFrom('messages as m')
    .innerJoin('messages as next', (join) =>
      join
        .onRef('next.conversation_id', '=', 'm.conversation_id')
        .on('next.seq', '=', sql<number>`m.seq + 1`),
    )
    .select('next.id')
    .where('m.id', '=', sale?.message_id ?? '')
    .executeTakeFirst();
  const { body } = await app.platform.call(listFanMessages, {
    params: { fan: sale?.external_id ?? '' },
    query: { limit: 1, before: message?.id },
  });
  expect(body.data[0]?.attachments).toMatchObject([
    { id: sale?.attachment_id, is_paid: true, locked: false },
  ]);
});

test('sample staff were active when they last wrote, and share three templates', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const { body } = await manager.client.call(listAdmins);
  const sample = body.data.filter(({ email }) => email.endsWith('@example.com'));
  expect(sample.length).toBeGreaterThanOrEqual(4);
  for (const { email, last_active_at } of sample) expect(last_active_at, email).not.toBeNull();
  const templates = (await staff.client.call(listTemplates)).body.data;
  expect(templates.map(({ is_shared }) => is_shared)).toEqual([true, true, true]);
});

test('the analytics show sales by several admins throughout the last three months', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const start = Date.now() - 90 * DAY_MS;
  const { body } = await manager.client.call(analyticsOverview, {
    query: { start_date: new Date(start).toISOString() },
  });
  const sellers = body.admin_performance.filter(({ products_purchased }) => products_purchased > 5);
  expect(sellers.length).toBeGreaterThanOrEqual(4);
  expect(body.top_products.filter(({ times_purchased }) => times_purchased > 0)).toHaveLength(8);
  for (let week = 0; week + 7 <= 90; week += 7) {
    const days = body.series.slice(week, week + 7);
    expect(days.some(({ purchases }) => purchases > 0)).toBe(true);
  }
});

test('a sample campaign is finished, with results by variant, one is running, and one is scheduled', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const { body } = await manager.client.call(listCampaigns);
  expect(body.data.map(({ state }) => state)).toEqual([
    'draft',
    'scheduled',
    'running',
    'finished',
  ]);
  const staffOf = (await manager.client.call(listAdmins)).body.data;
  for (const { started_by } of body.data.slice(1))
    expect(staffOf.find(({ id }) => id === started_by)?.role).toBe('manager');
  const [running, finished] = body.data.slice(-2);
  const { audience, sent, skipped } = running?.counts ?? { audience: 0, sent: 0, skipped: 0 };
  expect(sent).toBeGreaterThan(10);
  expect(audience - sent - skipped).toBeGreaterThan(10);
  expect(finished?.variants).toHaveLength(2);
  for (const { counts } of finished?.variants ?? []) {
    expect(counts.sent).toBeGreaterThan(20);
    expect(counts.sent + counts.skipped).toBe(counts.audience);
    expect(counts.read).toBeGreaterThan(10);
    expect(counts.replied).toBeGreaterThan(0);
    expect(counts.purchases).toBeGreaterThan(0);
  }
  const { rows } = await sql<{ gaps: number }>`
    select count(*)::int as gaps from (
      select seq, row_number() over (partition by conversation_id order by created_at) as nth from messages) m
    where seq <> nth`.execute(app.db.kysely);
  expect(rows).toEqual([{ gaps: 0 }]);
});

test('staff have planned shifts around today, and sold and earned on the clock', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const range = { from: day(-15), to: day(8) };
  const { data, clocks } = (await manager.client.call(listShifts, { query: range })).body;
  const admins = new Set(data.map(({ admin_id }) => admin_id));
  expect(admins.size).toBeGreaterThanOrEqual(5);
  for (const admin of admins) {
    const own = data.filter(({ admin_id }) => admin_id === admin);
    expect(own.some(({ ends_at }) => ends_at < day(-7))).toBe(true);
    expect(own.some(({ starts_at }) => starts_at > day(0))).toBe(true);
    own.slice(1).forEach(({ starts_at }, index) => {
      expect(starts_at >= (own[index]?.ends_at ?? '')).toBe(true);
    });
  }
  expect(new Set(clocks.map(({ stopped_by }) => stopped_by))).toContain('idle');
  const figures = (await manager.client.call(shiftFigures, { query: range })).body.data;
  const busy = figures.filter(({ figures: { sales, replies, sales_per_hour } }) =>
    [sales, replies, sales_per_hour].every((figure) => figure !== null && figure > 0),
  );
  expect(busy.length).toBeGreaterThanOrEqual(4);
  const { totals } = (await manager.client.call(listEarnings, { query: {} })).body;
  expect(totals.sales).toBeGreaterThan(0);
  expect(totals.hours).toBeGreaterThan(0);
});

test('an earning is contested, and another contest was accepted, in an intact ledger', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const { data } = (await manager.client.call(listContests)).body;
  expect(data.map(({ state }) => state)).toEqual(['open', 'accepted']);
  for (const { line, parts } of data) {
    const sum = parts.reduce((total, { amount }) => total + amount, 0);
    expect(sum).toBeCloseTo(line?.amount ?? 0, 5);
  }
  expect(data[1]?.parts).toHaveLength(2);
  expect((await verifyLedger(app.db)).broken).toBeNull();
});

test('all pay periods but the last two are closed, with what each admin earned', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const { data } = (await manager.client.call(listPeriods)).body;
  expect(data.filter(({ closed_at }) => closed_at === null)).toHaveLength(2);
  expect(data.filter(({ closed_at }) => closed_at !== null)[0]?.admins.length).toBeGreaterThan(0);
});

test('some fans are on trial and some subscribed, and for some of each today is the last day', async () => {
  const today = new Date().setHours(24, 0, 0, 0);
  const { rows } = await sql<{ status: string; today: boolean; over: boolean; endless: boolean }>`
    select distinct status, ends_at is null as endless, coalesce(ends_at <= now(), false) as over,
      coalesce(ends_at > now() and ends_at < ${new Date(today)}, false) as today
    from fan_benefits`.execute(app.db.kysely);
  for (const status of ['trial', 'subscribed']) {
    expect(rows).toContainEqual({ status, today: true, over: false, endless: false });
    expect(rows).toContainEqual({ status, today: false, over: true, endless: false });
  }
  expect(rows).toContainEqual({ status: 'subscribed', today: false, over: false, endless: true });
});

test('a start with existing fans adds nothing', async () => {
  const before = [await count('products'), await count('fans'), await count('messages')];
  await createSampleData({ db: app.db, storage });
  expect([await count('products'), await count('fans'), await count('messages')]).toEqual(before);
});

test('a start after all sample fans were erased and sample staff removed brings none of them back', async () => {
  const used = await startTestApp({ storage });
  const { client } = await buildStaff(used, { role: 'manager' });
  await createSampleData({ db: used.db, storage });
  const active = async () =>
    (await client.call(listAdmins)).body.data.filter(({ is_active }) => is_active);
  for (const { id, email } of await active())
    if (email.endsWith('@example.com')) await client.call(removeAdmin, { params: { id } });
  const fans = await used.db.kysely.selectFrom('fans').select('external_id').execute();
  for (const { external_id: fan } of fans) await used.platform.call(eraseFan, { params: { fan } });
  const before = await active();
  await createSampleData({ db: used.db, storage });
  expect(await active()).toEqual(before);
  expect(await used.db.kysely.selectFrom('fans').select('id').execute()).toEqual([]);
  await used.close();
});

test('a start with a folder and no fans adds nothing', async () => {
  const used = await startTestApp({ storage });
  const { client } = await buildStaff(used, { role: 'manager' });
  await client.call(createFolder, { body: { name: 'Wallpapers' } });
  const before = (await client.call(listAdmins)).body.data;
  await createSampleData({ db: used.db, storage });
  expect((await client.call(listAdmins)).body.data).toEqual(before);
  expect((await client.call(listProducts)).body.data).toEqual([]);
  await used.close();
});
