import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { createPlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import * as api from '@stagedoor/contract/selling/earnings';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildStaff, type Staff } from '../../../test/factories.ts';
import { httpClient } from '../../../test/http-client.ts';
import { QUICK, startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { openMarket } from '../../../test/worlds/market.ts';
import { verifyLedger } from './ledger.store.ts';

const DAY_MS = 86_400_000;
const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

/** Opens an installation with a seller who earns 20 %, by a rule that is three weeks old. */
async function openWorld() {
  const { url, secret } = receiver;
  const app = await startTestApp({ webhook: { url, secret, timing: QUICK } });
  const market = await openMarket(app);
  const { manager, seller } = market;
  const since = new Date(Date.now() - 21 * DAY_MS).toISOString();
  const insertRule = (adminId: string, percent: number, credit: string) =>
    sql`insert into earning_rules (admin_id, percent_hundredths, hourly_cents, credit, effective_at, created_by)
      values (${adminId}, ${percent}, 0, ${credit}, ${since}, ${manager.admin.id})`.execute(
      app.db.kysely,
    );
  await insertRule(seller.admin.id, 2_000, 'sender');
  return {
    app,
    ...market,
    insertRule,
    /** Sells something, by default now. @returns the seller's line */
    async sell(price = 4.99, daysAgo = 0) {
      const deal = await market.buildDeal(price);
      const at = new Date(Date.now() - daysAgo * DAY_MS - 1_000).toISOString();
      await app.platform.call(recordPurchase, { body: { ...deal.sale, purchased_at: at } });
      return { ...deal, line: await lineOf(seller, deal.message.id) };
    },
  };
}

async function lineOf({ client }: Pick<Staff, 'client'>, messageId: string) {
  const { body } = await client.call(api.listEarnings);
  const line = body.data.find(({ message_id }) => message_id === messageId);
  if (line === undefined) throw new Error('the sale was not booked');
  return line;
}

const reason = { reason: 'I sent the offer' };
const contest = async (staff: Pick<Staff, 'client'>, line: string) =>
  (await staff.client.call(api.contestEarning, { params: { line }, body: reason })).body.data;

async function intact(app: TestApp): Promise<void> {
  expect((await verifyLedger(app.db)).broken).toBeNull();
}

test('a sale’s line explains its amount, and totals equal the analytics', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const { message, product, line, sale } = await sell(4.99);
  await sell(10.01);
  expect(line).toMatchObject({
    kind: 'sale',
    amount: 1,
    base_amount: 4.99,
    rate: 20,
    arithmetic: '20 % of $4.99 = $1.00',
    message: { conversation_id: message.conversation_id },
    offer: { product_id: product.id, title: product.title, price: 4.99 },
    payment: { reference: sale.payment_reference, amount: 4.99, refunded_at: null },
    rule: { percentage: 20, admin_id: seller.admin.id },
  });
  const netSales = async () =>
    (await manager.client.call(analyticsOverview)).body.overview.total_revenue;
  const totals = async () => (await manager.client.call(api.listEarnings)).body.totals;
  expect(await totals()).toMatchObject({ amount: 3, base_amount: await netSales() });

  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  expect(await totals()).toMatchObject({ amount: 2, base_amount: await netSales(), refunds: -1 });
  await intact(app);
  await app.close();
});

test('a sale credited to the shift is split to the cent, and a refund takes back the same split', async () => {
  const { app, manager, seller, insertRule, sell } = await openWorld();
  const others = [await buildStaff(app), await buildStaff(app)];
  await insertRule(seller.admin.id, 10_000, 'shift');
  for (const { admin } of others) await insertRule(admin.id, 10_000, 'sender');
  for (const { admin } of [seller, ...others])
    await sql`insert into clocks (admin_id, started_at, last_act_at)
      values (${admin.id}, now() - interval '1 hour', now())`.execute(app.db.kysely);
  const { sale } = await sell(1);
  const amounts = async () => {
    const { body } = await manager.client.call(api.listEarnings);
    return body.data.map(({ kind, amount }) => `${kind} ${amount}`).toSorted();
  };
  expect(await amounts()).toEqual(['sale 0.33', 'sale 0.33', 'sale 0.34']);
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  const { body } = await manager.client.call(api.listEarnings);
  expect(body.data).toHaveLength(6);
  expect(body.totals).toMatchObject({ amount: 0, base_amount: 0 });
  await app.close();
});

test('nobody below a manager sees another’s money by any route', async () => {
  const { app, seller, sell } = await openWorld();
  const support = await buildStaff(app);
  const { line } = await sell();
  const socket = await app.connectSocket(support.token);
  const { body } = await support.client.call(api.listEarnings);
  expect([body.data, body.totals.amount]).toEqual([[], 0]);
  const query = { admin_id: seller.admin.id };
  expect((await support.client.refused(api.listEarnings, { query })).code).toBe(
    'permission_required',
  );
  const [period] = (await support.client.call(api.listPeriods)).body.data;
  expect(period?.admins).toEqual([]);
  const params = { id: period?.id ?? '' };
  expect((await support.client.refused(api.exportPayslip, { params, query })).code).toBe(
    'permission_required',
  );
  expect((await support.client.call(api.exportPayslip, { params })).text).not.toContain('sale');
  // Claiming a sale shows the claim only, to both: not what the line is worth.
  const claim = await contest(support, line.id);
  expect(claim.line).toBeNull();
  const listed = (await support.client.call(api.listContests)).body.data;
  expect(listed.map(({ id, line: shown }) => [id, shown])).toEqual([[claim.id, null]]);
  expect((await seller.client.call(api.listContests)).body.data[0]?.line?.amount).toBe(1);
  const event = await socket.nextEvent('shared_updated', ({ what }) => what === 'earnings');
  expect(event).toEqual({ what: 'earnings' });
  socket.close();
  await app.close();
});

test('an accepted contest moves parts that sum to the line, once', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const other = await buildStaff(app);
  const { line, message, sale } = await sell(4.99);
  const { id } = await contest(seller, line.id);
  expect(
    (await seller.client.refused(api.contestEarning, { params: { line: line.id }, body: reason }))
      .code,
  ).toBe('already_contested');
  const part = (admin: Staff, amount: number) => ({ admin_id: admin.admin.id, amount });
  const wrong = { parts: [part(seller, 0.4), part(other, 0.59)] };
  const refused = await manager.client.refused(api.acceptContest, { params: { id }, body: wrong });
  expect(refused.fields).toEqual({ parts: 'The parts must add up to $1.00' });

  const body = { parts: [part(seller, 0.4), part(other, 0.6)] };
  const token = await app.insertSession((await buildStaff(app, { role: 'creator' })).admin.id);
  const answers = await Promise.all([
    manager.client.raw('POST', `/api/earnings/contests/${id}/accept`, { body }),
    app.staff(token).raw('POST', `/api/earnings/contests/${id}/reject`, { body: reason }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const accepted = answers[0]?.status === 200;
  const sums = async (staff: Staff) =>
    (await staff.client.call(api.listEarnings)).body.totals.amount;
  expect([await sums(seller), await sums(other)]).toEqual(accepted ? [0.4, 0.6] : [1, 0]);
  if (accepted) {
    const moved = await lineOf(other, message.id);
    expect(moved).toMatchObject({
      kind: 'adjustment',
      base_amount: 0,
      arithmetic: 'Contest: +$0.60',
    });
    const event = await receiver.next('earning.adjusted', ({ event: { data } }) => 'id' in data && data.id === moved.id); // biome-ignore format: a line
    expect(event.event.data).toMatchObject({ amount: 0.6, admin_id: other.admin.id });
  }
  // A refund takes back what each one has.
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  expect([await sums(seller), await sums(other)]).toEqual([0, 0]);
  const late = { params: { line: line.id }, body: reason };
  expect((await seller.client.refused(api.contestEarning, late)).code).toBe('sale_refunded');
  await intact(app);
  await app.close();
});

test('a closed period never changes: a later refund is an adjustment in the open one', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const { sale } = await sell(5, 20);
  const periods = async () => (await manager.client.call(api.listPeriods)).body.data;
  const due = (await periods()).find(({ can_close }) => can_close);
  const params = { id: due?.id ?? '' };
  const closing = () => manager.client.raw('POST', `/api/earnings/periods/${params.id}/close`, {});
  const replies = await Promise.all([closing(), closing()]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.text).toContain('period_closed');
  const newest = (await periods())[0]?.id ?? '';
  expect((await manager.client.refused(api.closePeriod, { params: { id: newest } })).code).toBe('period_not_due'); // biome-ignore format: a line

  const closed = async () => (await periods()).find(({ id }) => id === params.id)?.admins;
  expect(await closed()).toMatchObject([{ admin_id: seller.admin.id, amount: 1, base_amount: 5 }]);
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  const { body } = await seller.client.call(api.listEarnings);
  expect(body.data.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['adjustment', -1],
    ['sale', 1],
  ]);
  expect(await closed()).toMatchObject([{ amount: 1, base_amount: 5 }]);
  expect((await periods())[0]?.admins).toMatchObject([{ amount: -1, base_amount: -5 }]);
  const { event } = await receiver.next('period.closed', ({ event: { data } }) => 'ends_at' in data && data.id === params.id); // biome-ignore format: a line
  expect(event.data).toMatchObject({ id: params.id, admins: [{ amount: 1 }] });

  // A payroll key reads closed periods and nothing else.
  const made = await manager.client.call(createPlatformKey, {
    body: { name: 'Payroll', scope: 'payroll' },
  });
  const payroll = httpClient(app.url, made.body.data.key);
  const read = await payroll.call(api.listClosedPeriods);
  expect(read.body.data).toMatchObject([{ id: params.id, admins: [{ amount: 1 }] }]);
  expect((await payroll.raw('GET', '/api/platform/creator')).status).toBe(401);
  expect((await app.platform.refused(api.listClosedPeriods)).code).toBe('unauthorized');
  await app.close();
});

test('a rule holds from now on, and trying one stores nothing', async () => {
  const { app, manager, seller, sell } = await openWorld();
  await sell(10);
  const terms = { admin_id: seller.admin.id, percentage: 50 };
  const [period] = (await manager.client.call(api.listPeriods)).body.data;
  const { body } = await manager.client.call(api.tryCommissionRule, {
    body: { ...terms, period_id: period?.id ?? '' },
  });
  expect(body.data).toEqual([
    { admin_id: seller.admin.id, admin_codename: seller.admin.codename, amount: 2, tried_amount: 5, difference: 3 },
  ]); // biome-ignore format: a line
  const past = { ...terms, effective_from: '2026-01-01' };
  const refused = await manager.client.refused(api.addCommissionRule, { body: past });
  expect(refused.fields).toEqual({ effective_from: 'Choose today or a later day' });
  expect((await manager.client.call(api.listCommissionRules)).body.data).toHaveLength(1);

  const today = new Date().toISOString().slice(0, 10);
  await manager.client.call(api.addCommissionRule, { body: { ...terms, effective_from: today } });
  const deal = await sell(10, 0);
  // Sold a second before the rule was made.
  expect(deal.line.amount).toBe(2);
  const { body: totals } = await seller.client.call(api.listEarnings);
  expect(totals.totals.amount).toBe(4);
  await app.close();
});

test('lines can’t be changed, and a byte changed by force is found', async () => {
  const { app, sell } = await openWorld();
  for (const price of [1, 2, 3]) await sell(price);
  const run = (text: string) => sql.raw(text).execute(app.db.kysely);
  for (const text of [
    'update earning_lines set amount_cents = 1',
    'delete from earning_lines',
    'truncate earning_lines cascade',
  ])
    await expect(run(text)).rejects.toThrow('append-only');
  await intact(app);
  for (const change of [
    "note = 'x'",
    'amount_cents = amount_cents + 1',
    "at = at + interval '1 ms'",
  ]) {
    await run('alter table earning_lines disable trigger user');
    await run(`create temp table kept as select * from earning_lines where seq = 2`);
    await run(`update earning_lines set ${change} where seq = 2`);
    expect((await verifyLedger(app.db)).broken?.seq).toBe(2);
    await run('delete from earning_lines where seq = 2');
    expect((await verifyLedger(app.db)).broken).toEqual({ seq: 3, reason: 'line 2 is missing' });
    await run('insert into earning_lines select * from kept');
    await run('drop table kept; alter table earning_lines enable trigger user');
    await intact(app);
  }
  await app.close();
});
