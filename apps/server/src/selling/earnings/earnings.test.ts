import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@stagedoor/contract/endpoints';
import { listFanOffers } from '@stagedoor/contract/fans/fan-facts';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { createPlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import * as api from '@stagedoor/contract/selling/earnings';
import { updateAdminRole } from '@stagedoor/contract/team/admins';
import { listAudit } from '@stagedoor/contract/team/audit';
import { subscribeToPush } from '@stagedoor/contract/team/notifications';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildStaff, type Staff } from '../../../test/factories.ts';
import { httpClient } from '../../../test/http-client.ts';
import { startPushService } from '../../../test/servers/push-service.ts';
import { QUICK, startWebhookReceiver } from '../../../test/servers/webhook-receiver.ts';
import { startTestApp, type TestApp } from '../../../test/test-app.ts';
import { openMarket } from '../../../test/worlds/market.ts';
import { verifyLedger } from './verify-ledger.ts';

const DAY_MS = 86_400_000;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());

/** Starts an installation with a seller who has earned 20 % since `start`, three weeks ago. */
async function openWorld(options: Parameters<typeof startTestApp>[0] = {}) {
  const { url, secret } = receiver;
  const app = await startTestApp({ webhook: { url, secret, timing: QUICK }, ...options });
  const market = await openMarket(app);
  const { manager, seller } = market;
  const start = new Date(Date.now() - 21 * DAY_MS);
  const insertRule = (adminId: string, percent: number, credit: string) =>
    sql`insert into earning_rules (admin_id, percent_hundredths, hourly_cents, credit, effective_at, created_by)
      values (${adminId}, ${percent}, 0, ${credit}, ${start}, ${manager.admin.id})`.execute(
      app.db.kysely,
    );
  await insertRule(seller.admin.id, 2_000, 'sender');
  const report = async (price: number, at: Date) => {
    const deal = await market.buildDeal(price);
    const body = { ...deal.sale, purchased_at: at.toISOString() };
    await app.platform.call(recordPurchase, { body });
    return deal;
  };
  return {
    app,
    ...market,
    insertRule,
    start,
    /** Sells something, by default a second ago. @returns the seller's line */
    async sell(price = 4.99, at = new Date(Date.now() - 1_000)) {
      const deal = await report(price, at);
      return { ...deal, line: await lineOf(seller, deal.message.id) };
    },
    report,
  };
}

/** Fails a test whose own data is missing. */
function fail(): never {
  throw new Error('test data is missing');
}

async function lineOf({ client }: Pick<Staff, 'client'>, messageId: string) {
  const { body } = await client.call(api.listEarnings);
  const line = body.data.find(({ message_id }) => message_id === messageId);
  if (line === undefined) throw new Error('the sale was not booked');
  return line;
}

/** Reads a whole list, one row per page. */
async function everyPage<Row>(
  read: (page: {
    limit: number;
    cursor?: string;
  }) => Promise<{ data: Row[]; next_cursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page: { limit: number; cursor?: string } = { limit: 1 }; ; ) {
    const { data, next_cursor: cursor } = await read(page);
    rows.push(...data);
    if (cursor === null) return rows;
    page = { limit: 1, cursor };
  }
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

test('lines and totals can be limited to those from an instant on and before another', async () => {
  const { app, seller, sell, start } = await openWorld();
  const [from, to] = [start, new Date(+start + DAY_MS)].map((at) => at.toISOString());
  for (const [price, at] of [
    [5, start],
    [10, new Date(+start + DAY_MS - 1)],
    [20, new Date(+start + DAY_MS)],
  ] as const)
    await sell(price, at);
  const sales = async (query: { from?: string | undefined; to?: string | undefined }) => {
    const { data, totals } = (await seller.client.call(api.listEarnings, { query })).body;
    return [data.map(({ base_amount }) => base_amount), totals.base_amount];
  };
  expect(await sales({ from, to })).toEqual([[10, 5], 15]);
  expect(await sales({ from: to })).toEqual([[20], 20]);
  expect(await sales({ to: from })).toEqual([[], 0]);
  await app.close();
});

test('a sale credited to the shift is split to the cent, and a refund takes back the same split', async () => {
  const { app, manager, seller, insertRule, sell } = await openWorld();
  const others = [await buildStaff(app), await buildStaff(app)];
  await insertRule(seller.admin.id, 10_000, 'shift');
  for (const { admin } of others) await insertRule(admin.id, 10_000, 'sender');
  for (const { admin } of [seller, ...others])
    await sql`insert into clocks (admin_id, started_at, last_act_at)
      values (${admin.id}, now() - interval '1 hour', now() + interval '1 hour')`.execute(
      app.db.kysely,
    );
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
  // The claimant sees only the claim, not what the line is worth.
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

test('a contest shows the manager who answers it the line as its admin sees it', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const { line } = await sell(4.99);
  const { contest: none, ...booked } = line;
  expect(none).toBeNull();
  expect((await contest(seller, line.id)).line).toEqual(booked);
  const [open] = (await manager.client.call(api.listContests)).body.data;
  expect(open?.line).toEqual(booked);
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
    const event = await receiver.next(
      'earning.adjusted',
      ({ event: { data } }) => 'id' in data && data.id === moved.id,
    );
    expect(event.event.data).toMatchObject({ amount: 0.6, admin_id: other.admin.id });
  }
  // A refund takes back each admin's part.
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  expect([await sums(seller), await sums(other)]).toEqual([0, 0]);
  const late = { params: { line: line.id }, body: reason };
  expect((await seller.client.refused(api.contestEarning, late)).code).toBe('sale_refunded');
  await intact(app);
  await app.close();
});

test('a support admin finds nobody else’s money by any route or event', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const support = await buildStaff(app);
  const socket = await app.connectSocket(support.token);
  // 20 % of it is a number that appears nowhere else.
  const { line, conversation } = await sell(7_331.07);
  const [period] = (await manager.client.call(api.listPeriods)).body.data;
  const claim = await contest(seller, line.id);
  await manager.client.call(api.rejectContest, { params: { id: claim.id }, body: reason });
  const ids = [line.id, claim.id, seller.admin.id, conversation.id, period?.id ?? ''];
  const found: string[] = [];
  for (const [name, { method, path, auth }] of Object.entries(endpoints)) {
    if (method !== 'GET' || auth !== 'admin') continue;
    const paths = path.includes('{') ? ids.map((id) => path.replace(/\{\w+\}/g, id)) : [path];
    for (const at of paths)
      for (const query of [{}, { admin_id: seller.admin.id }, { q: '1466.21' }]) {
        const { status, text } = await support.client.raw('GET', at, { query });
        if (status === 200 && /1,?466[.,]21/.test(text)) found.push(name);
      }
  }
  expect(found).toEqual([]);
  // Waits for the event of these changes: no event contains the number.
  await socket.nextEvent('shared_updated', ({ what }) => what === 'earnings');
  expect(JSON.stringify(socket.everything())).not.toMatch(/1,?466[.,]21|146621/);
  // For the manager the same calls contain the number, so the search would find it.
  expect((await manager.client.raw('GET', '/api/earnings')).text).toContain('1466.21');
  await app.close();
}, 300_000);

test('an admin who wins part of a sale in a contest never sees the rule under which it was booked', async () => {
  const { app, manager, seller, insertRule, sell } = await openWorld();
  const support = await buildStaff(app);
  // Timestamps can't contain 61.83.
  await insertRule(seller.admin.id, 6_183, 'sender');
  const accept = async (lineId: string, amount: number) => {
    const { id } = await contest(support, lineId);
    const parts = [
      { admin_id: seller.admin.id, amount: 3.09 - amount },
      { admin_id: support.admin.id, amount },
    ];
    await manager.client.call(api.acceptContest, { params: { id }, body: { parts } });
  };
  const [kept, returned] = [await sell(5), await sell(5)];
  await accept(kept.line.id, 0.6);
  for (const amount of [0.6, 0]) await accept(returned.line.id, amount);
  // Earlier versions stored the rule of the contested line.
  await sql`set session_replication_role = replica; update earning_lines set rate_hundredths = 6183, rule_version = 2
    where source = 'contest'; reset session_replication_role`.execute(app.db.kysely);
  for (const { sale } of [kept, returned])
    await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });

  const listed = await support.client.raw('GET', api.listEarnings.path);
  const [period = fail()] = (await support.client.call(api.listPeriods)).body.data;
  const slip = await support.client.call(api.exportPayslip, { params: { id: period.id } });
  const contests = await support.client.raw('GET', api.listContests.path);
  expect(listed.text + slip.text + contests.text).not.toMatch(/61[.,]83/);
  const lines = (await support.client.call(api.listEarnings)).body.data;
  expect(
    new Set(lines.map(({ rate, rule_version, rule }) => rate ?? rule_version ?? rule)),
  ).toEqual(new Set([null]));
  expect(lines.map(({ source, arithmetic }) => `${source}: ${arithmetic}`).toSorted()).toEqual([
    'contest: Contest: +$0.60',
    'contest: Contest: +$0.60',
    'contest: Contest: -$0.60',
    'refund: Refund, takes back what was earned: $0.00',
    'refund: Refund, takes back what was earned: -$0.60',
  ]);
  // The seller still sees the rule under which the sale was booked.
  const own = (await seller.client.call(api.listEarnings)).body.data;
  expect(own.filter(({ rule }) => rule?.percentage === 61.83).map(({ source }) => source)).toEqual([
    'refund',
    'sale',
    'refund',
    'sale',
  ]);
  await app.close();
});

test('when two managers act on two nodes, only one answers a contest and only one closes a period', async () => {
  const { app, manager, seller, sell, start } = await openWorld();
  await sell(5, start);
  const second = await startTestApp({ databaseUrl: app.databaseUrl });
  const other = second.staff((await buildStaff(app, { role: 'manager' })).token);
  const both = async (path: string, body: object) => {
    const replies = await Promise.all(
      [manager.client, other].map((client) => client.raw('POST', `/api/earnings${path}`, { body })),
    );
    return replies.map(({ status }) => status).toSorted((a, b) => a - b);
  };
  for (let n = 0; n < 2; n++) {
    const { id } = await contest(seller, (await sell(5)).line.id);
    const parts = [{ admin_id: manager.admin.id, amount: 1 }];
    expect(await both(`/contests/${id}/accept`, { parts })).toEqual([200, 409]);
  }
  const periods = (await manager.client.call(api.listPeriods)).body.data.toReversed();
  for (const { id } of periods.slice(0, 2))
    expect(await both(`/periods/${id}/close`, {})).toEqual([200, 409]);
  const { totals } = (
    await manager.client.call(api.listEarnings, { query: { admin_id: manager.admin.id } })
  ).body;
  expect(totals.amount).toBe(2);
  await intact(app);
  await second.close();
  await app.close();
}, 300_000);

test('everyone concerned is notified of a contest and of its answer, except the admin who acted', async () => {
  const service = await startPushService();
  const push = { rules: { allowLoopback: true }, retries: [0, 0], readFirstMs: 0 };
  const { app, manager, seller, sell } = await openWorld({ push });
  const others = [
    await buildStaff(app),
    await buildStaff(app, { role: 'manager' }),
    await buildStaff(app),
  ];
  const people = [seller, manager, ...others];
  const browsers = people.map(() => service.browser());
  for (const [index, { client }] of people.entries())
    await client.call(subscribeToPush, { body: browsers[index]?.subscription ?? fail() });
  const [claimant = fail()] = others;
  const { line } = await sell(5);
  const first = await contest(claimant, line.id);
  const second = await contest(claimant, (await sell(5)).line.id);
  const parts = [
    { admin_id: seller.admin.id, amount: 0 },
    { admin_id: claimant.admin.id, amount: 1 },
  ];
  await manager.client.call(api.acceptContest, { params: { id: first.id }, body: { parts } });
  await manager.client.call(api.rejectContest, { params: { id: second.id }, body: reason });
  // The seller contests a line of which the claimant now has a part.
  await contest(seller, line.id);
  const contests = Array.from({ length: 3 }, () => 'An earning was contested');
  const answers = ['A contest was accepted', 'A contest was rejected'];
  const notices = () =>
    browsers.map(({ received }) =>
      received.map(({ payload }) => payload).filter(({ kind }) => kind === 'earning'),
    );
  await expect
    .poll(() => notices().map((own) => own.map(({ title }) => title).toSorted()))
    .toEqual([
      [...answers, ...contests.slice(1)],
      contests,
      [...answers, ...contests.slice(2)],
      [...answers, ...contests],
      [],
    ]);
  // The notices contain no amounts.
  expect(JSON.stringify(notices())).not.toContain('$');
  await app.close();
  await service.close();
});

test('an admin is notified if their earnings of a closed period were adjusted, or their idle clock stopped', async () => {
  const service = await startPushService();
  const push = { rules: { allowLoopback: true }, retries: [0, 0], readFirstMs: 0 };
  const { app, manager, seller, sell, start } = await openWorld({ push });
  const browsers = [seller, manager].map(() => service.browser());
  for (const [index, { client }] of [seller, manager].entries())
    await client.call(subscribeToPush, { body: browsers[index]?.subscription ?? fail() });
  const { sale } = await sell(5, start);
  const due = (await manager.client.call(api.listPeriods)).body.data.find((one) => one.can_close);
  await manager.client.call(api.closePeriod, { params: { id: due?.id ?? fail() } });
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  const titles = () =>
    browsers.map(({ received }) =>
      received.flatMap(({ payload: { kind, title } }) =>
        ['earning', 'clock'].includes(kind) ? [title] : [],
      ),
    );
  await expect.poll(titles).toEqual([['Your earnings were adjusted'], []]);
  await sql`insert into clocks (admin_id, started_at, last_act_at)
    values (${seller.admin.id}, ${minutesAgo(60)}, ${minutesAgo(31)})`.execute(app.db.kysely);
  await expect.poll(titles).toEqual([['Your earnings were adjusted', 'Your clock stopped'], []]);
  await app.close();
  await service.close();
});

test('an answer starts from what each admin has; contests of a line are shown to all who have a part of it', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const [one, other] = [await buildStaff(app), await buildStaff(app)];
  const { line } = await sell(5);
  const accept = async (id: string, amounts: readonly (readonly [Staff, number])[]) => {
    const parts = amounts.map(([{ admin }, amount]) => ({ admin_id: admin.id, amount }));
    const body = { parts, reason: 'As agreed' };
    return (await manager.client.call(api.acceptContest, { params: { id }, body })).body.data;
  };
  const first = await contest(one, line.id);
  await accept(first.id, [
    [seller, 0.4],
    [one, 0.6],
  ]);
  const { id: again } = await contest(other, line.id);
  const open = (await manager.client.call(api.listContests)).body.data[0];
  const partsOf = (given?: api.EarningContest) =>
    new Map(given?.parts.map(({ admin_id, amount }) => [admin_id, amount]));
  expect(open?.state).toBe('open');
  expect(partsOf(open)).toEqual(
    new Map([
      [seller.admin.id, 0.4],
      [one.admin.id, 0.6],
    ]),
  );
  // Each admin sees the answer, and only their own part.
  const listed = async ({ client }: Staff) =>
    (await client.call(api.listContests)).body.data.find(({ id }) => id === first.id);
  expect(await listed(one)).toMatchObject({ state: 'accepted', answer: 'As agreed', line: null });
  expect(partsOf(await listed(one))).toEqual(new Map([[one.admin.id, 0.6]]));
  expect(partsOf(await listed(seller))).toEqual(new Map([[seller.admin.id, 0.4]]));
  expect(await listed(other)).toBeUndefined();
  const shown = (await one.client.call(api.listContests)).body.data.find(({ id }) => id === again);
  expect(shown).toMatchObject({ state: 'open', line: null });
  expect(partsOf(shown)).toEqual(new Map([[one.admin.id, 0.6]]));
  const [moved] = (await one.client.call(api.listEarnings)).body.data;
  expect(moved?.contest).toEqual(shown);
  await app.close();
});

test('an admin claims a fan’s purchase without seeing who earned how much from it, nor the line’s id', async () => {
  const { app, manager, seller, insertRule, sell } = await openWorld();
  const other = await buildStaff(app);
  await insertRule(seller.admin.id, 10_000, 'shift');
  for (const { admin } of [seller, manager])
    await sql`insert into clocks (admin_id, started_at, last_act_at)
      values (${admin.id}, now() - interval '1 hour', now() + interval '1 hour')`.execute(
      app.db.kysely,
    );
  const { conversation, line } = await sell(7_331.07);
  const bought = await other.client.call(listFanOffers, {
    params: { id: conversation.id },
    query: { kind: 'bought' },
  });
  const id = bought.body.data[0]?.purchase_id ?? '';
  expect(id).toBe(line.purchase_id);
  const claim = await contest(other, id);
  expect([claim.line, claim.parts]).toEqual([null, []]);
  const params = { line: id };
  expect((await other.client.refused(api.contestEarning, { params, body: reason })).code).toBe(
    'already_contested',
  );
  // The manager gets a contest for each admin's part of a sale shared by the shift, except for parts of 0.
  const { data } = (await manager.client.call(api.listContests)).body;
  const lines = (await manager.client.call(api.listEarnings)).body.data;
  const earned = lines.filter(({ amount }) => amount !== 0);
  expect(earned.length).toBeGreaterThan(0);
  expect(data.map(({ line_id }) => line_id ?? '').toSorted()).toEqual(
    earned.map((each) => each.id).toSorted(),
  );
  // With a line's id, the claimant could test rates against the hashes of their own neighboring lines.
  const own = await other.client.raw('GET', '/api/earnings/contests');
  for (const { amount, id: hidden } of earned)
    for (const secret of [String(amount), hidden])
      expect(own.text + bought.text + JSON.stringify(claim)).not.toContain(secret);
  await app.close();
});

test('contests are listed page by page, open ones first, and an admin’s apart from the others’', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const other = await buildStaff(app);
  const made = [];
  for (const who of [seller, other, manager, seller])
    made.push((await contest(who, (await sell(5)).line.id)).id);
  const [first = '', second = '', third = '', fourth = ''] = made;
  await manager.client.call(api.rejectContest, { params: { id: third }, body: reason });
  const pagesOf = async ({ client }: Staff, query: { admin_id?: string } = {}) => {
    const all = await everyPage(async (page) => {
      const { body } = await client.call(api.listContests, { query: { ...query, ...page } });
      return body;
    });
    return all.map(({ id }) => id);
  };
  expect(await pagesOf(manager)).toEqual([fourth, second, first, third]);
  expect(await pagesOf(manager, { admin_id: manager.admin.id })).toEqual([third]);
  expect(await pagesOf(manager, { admin_id: other.admin.id })).toEqual([second]);
  // Includes the contests of their own lines.
  expect(await pagesOf(seller)).toEqual([fourth, second, first, third]);
  expect(await pagesOf(other)).toEqual([second]);
  const query = { admin_id: seller.admin.id };
  expect((await other.client.refused(api.listContests, { query })).code).toBe(
    'permission_required',
  );
  await app.close();
});

test('a contest can’t be accepted once its sale was refunded, only rejected', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const { line, sale } = await sell(5);
  const params = { id: (await contest(manager, line.id)).id };
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  const parts = [{ admin_id: manager.admin.id, amount: 1 }];
  const refused = await manager.client.refused(api.acceptContest, { params, body: { parts } });
  expect(refused).toMatchObject({ status: 409, code: 'sale_refunded' });
  expect((await seller.client.call(api.listEarnings)).body.totals.adjustments).toBe(0);
  await manager.client.call(api.rejectContest, { params, body: reason });
  await app.close();
});

test('the audit log has each contest, its answer, each new rule and each closed period', async () => {
  const { app, manager, seller, sell, start } = await openWorld();
  const lines = [(await sell(5, start)).line, (await sell(10, start)).line] as const;
  const [first, second] = [await contest(seller, lines[0].id), await contest(seller, lines[1].id)];
  const parts = [
    { admin_id: seller.admin.id, amount: 0.25 },
    { admin_id: manager.admin.id, amount: 0.75 },
  ];
  await manager.client.call(api.acceptContest, { params: { id: first.id }, body: { parts } });
  await manager.client.call(api.rejectContest, { params: { id: second.id }, body: reason });
  const rule = { admin_id: seller.admin.id, percentage: 50, effective_from: '2099-01-01' };
  const { version } = (await manager.client.call(api.addCommissionRule, { body: rule })).body.data;
  const due = (await manager.client.call(api.listPeriods)).body.data.find((one) => one.can_close);
  const period = due?.id ?? fail();
  await manager.client.call(api.closePeriod, { params: { id: period } });

  const { data } = (await manager.client.call(listAudit)).body;
  const amounts = { [seller.admin.id]: -0.75, [manager.admin.id]: 0.75 };
  expect(
    data
      .filter(({ action }) => action.startsWith('earning_'))
      .toReversed()
      .map(({ action, admin, target_id, details }) => [action, admin?.id, target_id, details]),
  ).toEqual([
    ['earning_contest.create', seller.admin.id, first.id, { line: lines[0].seq }],
    ['earning_contest.create', seller.admin.id, second.id, { line: lines[1].seq }],
    ['earning_contest.accept', manager.admin.id, first.id, { line: lines[0].seq, amounts }],
    ['earning_contest.reject', manager.admin.id, second.id, reason],
    [
      'earning_rule.create',
      manager.admin.id,
      seller.admin.id,
      expect.objectContaining({ ...rule, version }),
    ],
    ['earning_period.close', manager.admin.id, manager.admin.id, { period }],
  ]);
  await app.close();
});

test('the parts of an accepted contest lie between 0 and the line', async () => {
  const { manager, seller, sell, app } = await openWorld();
  const other = await buildStaff(app);
  const { line } = await sell(5);
  const { id } = await contest(other, line.id);
  for (const [own, theirs] of [
    [100, -99],
    [-0.01, 1.01],
    [1.01, -0.01],
  ] as const) {
    const parts = [
      { admin_id: seller.admin.id, amount: own },
      { admin_id: other.admin.id, amount: theirs },
    ];
    const refused = await manager.client.refused(api.acceptContest, {
      params: { id },
      body: { parts },
    });
    expect([refused.status, refused.fields]).toEqual([
      400,
      { parts: 'Each part must be from $0.00 to $1.00' },
    ]);
  }
  await app.close();
});

test('any line can be contested, even one of $0, and a claim doesn’t reveal what the sale earned', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const other = await buildStaff(app);
  const { line } = await sell(0.01);
  expect(line.amount).toBe(0);
  const { id } = await contest(other, line.purchase_id ?? '');
  const params = { id };
  const parts = [{ admin_id: other.admin.id, amount: 0.01 }];
  const refused = await manager.client.refused(api.acceptContest, { params, body: { parts } });
  expect(refused.fields).toEqual({ parts: 'Each part must be from $0.00 to $0.00' });
  await manager.client.call(api.rejectContest, { params, body: reason });
  expect(await contest(seller, line.id)).toMatchObject({ line: { id: line.id }, state: 'open' });
  await app.close();
});

test('the arithmetic of a contested sale’s refund says that it is a refund', async () => {
  const { app, manager, seller, sell } = await openWorld();
  const other = await buildStaff(app);
  const { line, sale, message } = await sell(5);
  const { id } = await contest(other, line.id);
  const parts = [
    { admin_id: seller.admin.id, amount: 0.25 },
    { admin_id: other.admin.id, amount: 0.75 },
  ];
  await manager.client.call(api.acceptContest, { params: { id }, body: { parts } });
  const reasons = async ({ client }: Staff) =>
    (await client.call(api.listEarnings)).body.data
      .filter(({ message_id }) => message_id === message.id)
      .toSorted((a, b) => a.seq - b.seq)
      .map(({ source, arithmetic }) => `${source}: ${arithmetic}`);
  await app.platform.call(recordRefund, { body: { payment_reference: sale.payment_reference } });
  expect(await reasons(seller)).toEqual([
    'sale: 20 % of $5.00 = $1.00',
    'contest: Contest: -$0.75',
    'refund: Refund, takes back what was earned: -$0.25',
  ]);
  expect(await reasons(other)).toEqual([
    'contest: Contest: +$0.75',
    'refund: Refund, takes back what was earned: -$0.75',
  ]);
  await app.close();
});

test('a sale shared by the shift is booked once it is certain who was on the clock', async () => {
  const { app, manager, seller, insertRule, report } = await openWorld();
  const [idle, busy] = [await buildStaff(app), await buildStaff(app)];
  await insertRule(seller.admin.id, 10_000, 'shift');
  for (const { admin } of [idle, busy]) await insertRule(admin.id, 10_000, 'sender');
  const run = (text: ReturnType<typeof sql>) => text.execute(app.db.kysely);
  for (const { admin } of [idle, busy])
    await run(sql`insert into clocks (admin_id, started_at, last_act_at)
      values (${admin.id}, ${minutesAgo(60)}, ${minutesAgo(20)})`);
  const { message } = await report(1, minutesAgo(10));
  const list = async () => (await manager.client.call(api.listEarnings)).body;
  expect(await list()).toMatchObject({ data: [], totals: { base_amount: 0, undecided: 1 } });
  // The sale can't be claimed yet, either.
  const { id: sale } = await app.db.kysely
    .selectFrom('purchases')
    .select('id')
    .where('message_id', '=', message.id)
    .executeTakeFirstOrThrow();
  const claim = { params: { line: sale }, body: reason };
  expect(await busy.client.refused(api.contestEarning, claim)).toMatchObject({
    status: 409,
    code: 'sale_undecided',
  });
  // An admin who stopped before the sale gets nothing; the others share all of it.
  await run(sql`update clocks set last_act_at = now() where admin_id = ${busy.admin.id}`);
  expect((await list()).data).toEqual([]);
  await run(
    sql`update clocks set ended_at = last_act_at, stopped_by = 'idle' where admin_id = ${idle.admin.id}`,
  );
  const { data, totals } = await list();
  expect(data.filter(({ message_id }) => message_id === message.id)).toMatchObject([
    { admin_id: busy.admin.id, kind: 'sale', amount: 1, shared_by: 1 },
  ]);
  expect(totals).toMatchObject({ base_amount: 1, undecided: 0 });

  // A refund isn't booked before its sale.
  await run(sql`update clocks set last_act_at = ${minutesAgo(5)} where ended_at is null`);
  const second = await report(2, minutesAgo(1));
  await app.platform.call(recordRefund, {
    body: { payment_reference: second.sale.payment_reference },
  });
  expect((await list()).totals).toMatchObject({ base_amount: 1, undecided: 0 });
  await run(sql`update clocks set last_act_at = now() where ended_at is null`);
  const kinds = (await list()).data.map(({ kind, amount }) => `${kind} ${amount}`);
  expect(kinds.toSorted()).toEqual(['hours 0', 'refund -2', 'sale 1', 'sale 2']);
  await intact(app);
  await app.close();
});

test('a closed period never changes: a later refund is an adjustment in the open one', async () => {
  const { app, manager, seller, sell, start } = await openWorld();
  const { sale } = await sell(5, start);
  const periods = async () => (await manager.client.call(api.listPeriods)).body.data;
  const due = (await periods()).find(({ can_close }) => can_close);
  const params = { id: due?.id ?? '' };
  const closing = () => manager.client.raw('POST', `/api/earnings/periods/${params.id}/close`, {});
  const replies = await Promise.all([closing(), closing()]);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.text).toContain('period_closed');
  const newest = (await periods())[0]?.id ?? '';
  expect((await manager.client.refused(api.closePeriod, { params: { id: newest } })).code).toBe(
    'period_not_due',
  );

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
  // Other tests close this period too.
  const { event } = await receiver.next(
    'period.closed',
    ({ event: { data } }) =>
      'ends_at' in data && data.admins.some(({ admin_id }) => admin_id === seller.admin.id),
  );
  expect(event.data).toMatchObject({ id: params.id, admins: [{ amount: 1 }] });

  // A payroll key reads closed periods and nothing else.
  const made = await manager.client.call(createPlatformKey, {
    body: { name: 'Payroll', scope: 'payroll' },
  });
  const payroll = httpClient(app.url, made.body.data.key);
  const read = await payroll.call(api.listClosedPeriods);
  expect(read.body.data).toMatchObject([{ id: params.id, admins: [{ amount: 1 }] }]);
  const isPlatform = ({ path, auth }: (typeof endpoints)[keyof typeof endpoints]) =>
    auth === 'platform' && path !== api.listClosedPeriods.path;
  for (const { method, path } of Object.values(endpoints).filter(isPlatform))
    expect((await payroll.raw(method, path.replace(/\{\w+\}/g, 'x'))).status, path).toBe(401);
  expect((await payroll.raw('GET', '/api/earnings')).status).toBe(401);

  // Page by page, newest first.
  const rest = (await periods()).filter(({ closed_at }) => closed_at === null).toReversed();
  for (const { id } of rest.slice(0, -1))
    await manager.client.call(api.closePeriod, { params: { id } });
  const all = (await payroll.call(api.listClosedPeriods)).body;
  expect(all.next_cursor).toBeNull();
  const paged = await everyPage(
    async (query) => (await payroll.call(api.listClosedPeriods, { query })).body,
  );
  expect(paged).toEqual(all.data);
  expect(paged.length).toBeGreaterThan(1);
  expect((await app.platform.refused(api.listClosedPeriods)).code).toBe('unauthorized');
  const shown = await everyPage(
    async (query) => (await manager.client.call(api.listPeriods, { query })).body,
  );
  expect(shown).toEqual(await periods());
  await app.close();
});

test('a contest moves parts in the period of its line, unless that period is closed', async () => {
  const { app, manager, seller, sell, start } = await openWorld();
  const other = await buildStaff(app);
  const periods = async () => (await manager.client.call(api.listPeriods)).body.data;
  const sums = async (id: string) =>
    Object.fromEntries(
      (await periods())
        .find((period) => period.id === id)
        ?.admins.map(({ admin_id, amount }) => [admin_id, amount]) ?? [],
    );
  const due = (await periods()).find(({ can_close }) => can_close)?.id ?? '';
  const { line } = await sell(5, start);
  const accept = async (own: number, others: number) => {
    const { id } = await contest(seller, line.id);
    const parts = [
      { admin_id: seller.admin.id, amount: own },
      { admin_id: other.admin.id, amount: others },
    ];
    await manager.client.call(api.acceptContest, { params: { id }, body: { parts } });
  };
  await accept(0.4, 0.6);
  expect(await sums(due)).toEqual({ [seller.admin.id]: 0.4, [other.admin.id]: 0.6 });

  await manager.client.call(api.closePeriod, { params: { id: due } });
  await accept(1, 0);
  expect(await sums(due)).toEqual({ [seller.admin.id]: 0.4, [other.admin.id]: 0.6 });
  const newest = (await periods())[0]?.id ?? '';
  expect(await sums(newest)).toEqual({ [seller.admin.id]: 0.6, [other.admin.id]: -0.6 });
  await intact(app);
  await app.close();
});

test('a cursor of the year 0, which the database doesn’t have, is refused', async () => {
  const { app, manager } = await openWorld();
  const at = '0000-01-01T00:00:00.000Z';
  for (const [list, keys] of [
    [api.listEarnings, [at, 1]],
    [api.listContests, [true, at, crypto.randomUUID()]],
    [api.listPeriods, [at]],
  ] as const) {
    const cursor = Buffer.from(JSON.stringify(keys)).toString('base64url');
    const refusal = await manager.client.refused(list, { query: { cursor } });
    expect(refusal, list.path).toMatchObject({ status: 400, code: 'invalid_request' });
  }
  await app.close();
});

test('no two pay periods have the same id, even if the team moved to a time zone further west', async () => {
  const { app, manager } = await openWorld();
  const day = new Date(Date.now() - 9 * DAY_MS).toISOString().slice(0, 10);
  // The last period ended in a time zone twelve hours ahead.
  await sql`insert into earning_periods (id, starts_at, ends_at, closed_by, last_seq, last_hash)
    values (${day}, ${`${day}T00:00Z`}, ${`${day}T12:00Z`}, ${manager.admin.id}, 0, '')`.execute(
    app.db.kysely,
  );
  const ids = async () =>
    (await manager.client.call(api.listPeriods)).body.data.map(({ id }) => id);
  const before = await ids();
  expect(new Set(before).size).toBe(before.length);
  expect(before).toEqual(before.toSorted().toReversed());
  const [id = ''] = before.slice(-2);
  await manager.client.call(api.closePeriod, { params: { id } });
  expect(await ids()).toEqual(before);
  await app.close();
});

test.each([randomUUID(), 'nobody'])(
  'a pay slip of the unknown admin %s is not found',
  async (id) => {
    const { app, manager } = await openWorld();
    const [period = fail()] = (await manager.client.call(api.listPeriods)).body.data;
    const given = { params: { id: period.id }, query: { admin_id: id } };
    expect(await manager.client.refused(api.exportPayslip, given)).toMatchObject({
      status: 404,
      code: 'admin_not_found',
    });
    await app.close();
  },
);

test('a rule holds from now on, and trying one stores nothing', async () => {
  const { app, manager, seller, sell } = await openWorld();
  await sell(10);
  const terms = { admin_id: seller.admin.id, percentage: 50 };
  const [period] = (await manager.client.call(api.listPeriods)).body.data;
  const { body } = await manager.client.call(api.tryCommissionRule, {
    body: { ...terms, period_id: period?.id ?? '' },
  });
  expect(body.data).toEqual([
    {
      admin_id: seller.admin.id,
      admin_codename: seller.admin.codename,
      amount: 2,
      tried_amount: 5,
      difference: 3,
    },
  ]);
  for (const effective_from of ['2026-01-01', '0000-01-01']) {
    const past = { ...terms, effective_from };
    const refused = await manager.client.refused(api.addCommissionRule, { body: past });
    expect(refused.fields).toEqual({ effective_from: 'Choose today or a later day' });
  }
  expect((await manager.client.call(api.listCommissionRules)).body.data).toHaveLength(1);

  const today = new Date().toISOString().slice(0, 10);
  await manager.client.call(api.addCommissionRule, { body: { ...terms, effective_from: today } });
  const deal = await sell(10, minutesAgo(5));
  // Sold before the rule was made.
  expect(deal.line.amount).toBe(2);
  const { body: totals } = await seller.client.call(api.listEarnings);
  expect(totals.totals.amount).toBe(4);
  await app.close();
});

test('a rule is tried on a past period with the roles of that time, not with today’s', async () => {
  const { app, manager } = await openWorld();
  const [paid, unpaid] = [await openMarket(app), await openMarket(app)];
  const setRole = ({ admin }: Staff, role: 'moderator' | 'manager') =>
    manager.client.call(updateAdminRole, { params: { id: admin.id }, body: { role } });
  // Not through the API, which would record the change as made after the sale.
  await sql`update admins set role = 'moderator' where id = ${paid.seller.admin.id}`.execute(
    app.db.kysely,
  );
  const at = new Date(Date.now() - 20 * DAY_MS).toISOString();
  await sql`insert into earning_rules (role, percent_hundredths, hourly_cents, credit, effective_at, created_by)
    values ('moderator', 1200, 1000, 'shift', ${at}::timestamptz - interval '1 day', ${manager.admin.id})`.execute(
    app.db.kysely,
  );
  // One sale is shared by the shift; the other is its sender's, who has no rule.
  for (const { seller } of [paid, unpaid])
    await sql`insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
      values (${seller.admin.id}, ${at}::timestamptz - interval '1 hour', ${at}, ${at}, 'admin')`.execute(
      app.db.kysely,
    );
  for (const { buildDeal } of [paid, unpaid]) {
    const { sale } = await buildDeal(12);
    const purchased_at = new Date(Date.parse(at) - 1).toISOString();
    await app.platform.call(recordPurchase, { body: { ...sale, purchased_at } });
  }
  const period =
    (await manager.client.call(api.listPeriods)).body.data.find(({ admins }) => admins.length) ??
    fail();
  const tried = async (role: 'support' | 'moderator' | 'manager', percentage: number) => {
    const terms = { role, percentage, hourly_rate: 20, credit: 'shift' as const };
    const body = { ...terms, period_id: period.id };
    const { data } = (await manager.client.call(api.tryCommissionRule, { body })).body;
    const of = ({ admin }: Staff) => data.find(({ admin_id }) => admin_id === admin.id)?.difference;
    return [of(paid.seller), of(unpaid.seller)];
  };
  const trials = async () => [
    await tried('moderator', 24),
    await tried('support', 50),
    await tried('manager', 50),
  ];
  const differences = [
    // 12 % more of half a sale, and 10 USD more for the hour.
    [10.72, 0],
    // The other sale is shared, too; 50 % of half of both sales, and 20 USD for the hour.
    [0.72, 26],
    [0, 0],
  ];
  expect(await trials()).toEqual(differences);
  await setRole(paid.seller, 'manager');
  await setRole(unpaid.seller, 'moderator');
  expect(await trials()).toEqual(differences);
  await app.close();
});

test('trying the rule in force gives the pay slip, also after contests and refunds', async () => {
  const { app, manager, seller, sell, start } = await openWorld();
  const other = await buildStaff(app);
  const refunded = await sell(5, start);
  const contested = await sell(5, start);
  await sell(0.03, start);
  const id =
    (await manager.client.call(api.listPeriods)).body.data.find((one) => one.can_close)?.id ??
    fail();
  await manager.client.call(api.closePeriod, { params: { id } });
  await app.platform.call(recordRefund, {
    body: { payment_reference: refunded.sale.payment_reference },
  });
  const claim = await contest(other, contested.line.id);
  const parts = [{ admin_id: other.admin.id, amount: 1 }];
  await manager.client.call(api.acceptContest, { params: { id: claim.id }, body: { parts } });
  const stored = async () => {
    const { rows } = await sql`select (select count(*) from earning_lines) as lines,
      (select count(*) from earning_rules) as rules, (select count(*) from earning_queue) as queue`.execute(
      app.db.kysely,
    );
    return rows;
  };
  for (const period of (await manager.client.call(api.listPeriods)).body.data) {
    const body = { admin_id: seller.admin.id, percentage: 20, period_id: period.id };
    const before = await stored();
    const trials = await Promise.all(
      [1, 2, 3].map(() => manager.client.call(api.tryCommissionRule, { body })),
    );
    for (const trial of trials) {
      const slip = period.admins.map(({ admin_id, amount }) => [admin_id, amount, amount]);
      expect(
        trial.body.data.map(({ admin_id, amount, tried_amount }) => [
          admin_id,
          amount,
          tried_amount,
        ]),
      ).toEqual(slip);
    }
    expect(await stored()).toEqual(before);
  }
  await app.close();
});

test('the ledger refuses changes, and `npm run ledger -- verify` finds those made by force, in any column of a line', async () => {
  const { app, manager, sell, start } = await openWorld();
  await sell(5, start);
  for (const price of [1, 2, 3]) await sell(price);
  const due = (await manager.client.call(api.listPeriods)).body.data.find((one) => one.can_close);
  const period = due?.id ?? '';
  await manager.client.call(api.closePeriod, { params: { id: period } });
  await sell(4);
  await sell(5);
  const run = (text: string) => sql.raw(text).execute(app.db.kysely);
  const tables = ['rules', 'lines', 'periods', 'payslips', 'heads'].map(
    (name) => `earning_${name}`,
  );
  for (const table of tables)
    for (const change of [`delete from ${table}`, `truncate ${table} cascade`])
      await expect(run(change)).rejects.toThrow(/append-only|only grow/);
  await expect(run('update earning_lines set amount_cents = 1')).rejects.toThrow('append-only');
  await expect(run('update earning_heads set length = length - 1')).rejects.toThrow('only grow');
  expect(await verify(app)).toEqual([0, 'The ledger is intact: 6 lines.']);

  const slip = 'The pay slip of ';
  /** Runs statements without triggers. */
  const force = (text: string) =>
    run(`set session_replication_role = replica; ${text}; reset session_replication_role`);
  const byCommand = [
    ["update earning_lines set note = 'x' where seq = 2", 'Line 2 was'],
    ["delete from earning_lines where seq in (2, 4); update earning_lines set note = 'x' where seq = 5", 'Line 2 was tampered with: it is missing.'],
    ['delete from earning_lines where seq >= 6', 'Line 6 was tampered with: it is missing; 6 lines were booked.'],
    ["update earning_rules set effective_at = effective_at - interval '1 day'", 'Rule 1 was'],
    ['update earning_payslips set amount_cents = amount_cents + 1', slip],
  ] as const; // biome-ignore format: a change and what is found
  const changes = [
    ...(await changesOfColumns(app)).map((change) => [change, 'Line 2'] as const),
    ['delete from earning_lines', 'Line 1'],
    ["delete from earning_lines where seq >= 6; update earning_heads set length = 5 where chain = 'lines'", 'Line 5'],
    ['update earning_rules set percent_hundredths = 9999', 'Rule 1'],
    ["update earning_periods set closed_at = closed_at - interval '1 s'", `The period ${period}`],
    ['delete from earning_payslips', slip],
    ['delete from earning_payslips; delete from earning_periods', 'The period after the start'],
    ['delete from earning_heads', 'The head'],
  ] as const; // biome-ignore format: a change and what is found
  const tamper = async (change: string, check: () => Promise<void>) => {
    const restored = tables.map((table) => {
      const numbered = table === 'earning_rules' ? 'overriding system value' : '';
      return `delete from ${table}; insert into ${table} ${numbered} select * from kept_${table}; drop table kept_${table}`;
    });
    for (const table of tables) await run(`create table kept_${table} as select * from ${table}`);
    await force(change);
    await check();
    await force(restored.join('; '));
  };
  for (const [change, found] of byCommand)
    await tamper(change, async () =>
      expect(await verify(app), change).toEqual([1, expect.stringContaining(found)]),
    );
  for (const [change, found] of changes)
    await tamper(change, async () =>
      expect((await verifyLedger(app.db)).broken?.what, change).toContain(found),
    );
  expect(await verify(app)).toEqual([0, 'The ledger is intact: 6 lines.']);
  await app.close();
}, 300_000);

/** Returns, for each column of the lines, a statement that changes it in line 2. */
async function changesOfColumns({ db }: TestApp): Promise<string[]> {
  const other: Readonly<Record<string, string>> = {
    kind: "'refund'",
    source: "'contest'",
    uuid: 'gen_random_uuid()',
    'timestamp with time zone': "at + interval '1 ms'",
  };
  const { rows } = await sql<{ column: string; type: string }>`
    select column_name as column, data_type as type from information_schema.columns
    where table_name = 'earning_lines'`.execute(db.kysely);
  return rows.map(({ column, type }) => {
    const more = type === 'text' ? `concat(${column}, 'x')` : `coalesce(${column}, 0) + 1000`;
    return `update earning_lines set ${column} = ${other[column] ?? other[type] ?? more} where seq = 2`;
  });
}

const COMMAND = fileURLToPath(new URL('../../../dist/ledger-command.js', import.meta.url));
/** Runs the built command. @returns its exit code and output */
async function verify({ databaseUrl }: TestApp): Promise<[number | null, string]> {
  const { PATH } = process.env;
  const env = { PATH, DATABASE_URL: databaseUrl, DATA_DIR: tmpdir() };
  const child = spawn(process.execPath, [COMMAND, 'verify'], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, output.trim()];
}
