import { randomUUID } from 'node:crypto';
import { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import {
  acceptContest,
  closePeriod,
  contestEarning,
  type EarningLine,
  listEarnings,
  listPeriods,
  rejectContest,
} from '@stagedoor/contract/selling/earnings';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildProduct } from '../../../test/worlds/catalogue.ts';
import { START as START_HASH } from './ledger.store.ts';
import { verifyLedger } from './verify-ledger.ts';

/** `EARNINGS_RUNS=10000` tries more histories; another `EARNINGS_SEED` tries different ones. */
const RUNS = Number(process.env.EARNINGS_RUNS ?? 50);
const SEED = Number(process.env.EARNINGS_SEED ?? 1);
const ZONE = 'America/New_York';
/** Five weeks around the end of daylight saving time in New York. */
const START = Date.UTC(2025, 9, 13, 4);
const DAY_MS = 86_400_000;
const SPAN = 35 * DAY_MS;

const app = await sharedApp();
const run = (text: ReturnType<typeof sql<unknown>>) => text.execute(app.db.kysely);
const manager = await buildStaff(app, { role: 'manager' });
const staff = [
  await buildStaff(app),
  await buildStaff(app, { role: 'moderator' }),
  await buildStaff(app),
];
const ids = staff.map(({ admin }) => admin.id);
const product = await buildProduct(manager);

// The server would stop these old clocks as idle. Here, only the history stops them.
await run(
  sql`create function keep_running() returns trigger language plpgsql as 'begin return null; end'`,
);
await run(sql`create trigger clocks_keep_running before update on clocks
  for each row when (new.stopped_by = 'idle') execute function keep_running()`);

const who = fc.nat({ max: 2 });
const when = fc.oneof(
  fc.integer({ min: 0, max: SPAN }).map((after) => START + after),
  // The hour that repeats when the clock is set back, and the ends of weeks.
  fc.integer({ min: 0, max: 7_200_000 }).map((after) => Date.UTC(2025, 10, 2, 5) + after),
  fc
    .tuple(fc.nat({ max: 4 }), fc.integer({ min: -2, max: 2 }))
    .map(([week, off]) => START + week * 7 * 86_400_000 + off * 3_600_000),
);
const rule = fc.record({
  what: fc.constant('rule' as const),
  target: fc.constantFrom(0, 1, 2, 'support', 'moderator'),
  percent: fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(2_000, 1_250, 3_333)),
  hourly: fc.nat({ max: 9_999 }),
  shift: fc.boolean(),
  at: when,
});
const step = fc.oneof(
  { weight: 2, arbitrary: rule },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('sale' as const), who, cents: fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom(1, 2, 499, 250)), at: when }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('clock' as const), who, at: when, ms: fc.nat({ max: 12 * 3_600_000 }) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('start' as const), who, at: when, ms: fc.nat({ max: 6 * 3_600_000 }) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('act' as const), who, ms: fc.nat({ max: 20 * 86_400_000 }) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('stop' as const), who, ms: fc.oneof(fc.constant(0), fc.nat({ max: 6 * 3_600_000 })) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('refund' as const), sale: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('contest' as const), line: fc.nat(), to: who, accept: fc.boolean(), part: fc.nat({ max: 100 }) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('close' as const) }) },
); // biome-ignore format: a line each
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Rule = typeof rule extends fc.Arbitrary<infer T> ? T : never;
type Cycle = 'weekly' | 'two_weekly' | 'monthly';

const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE });
/** Returns the number of the period that contains an instant. */
function periodOf(at: number, cycle: Cycle): number {
  const [year = 0, month = 0, day = 0] = dayFormat.format(at).split('-').map(Number);
  if (cycle === 'monthly') return year * 12 + month;
  const days = Date.UTC(year, month - 1, day) / 86_400_000 - Date.UTC(1970, 0, 5) / 86_400_000;
  return Math.floor(days / (cycle === 'weekly' ? 7 : 14));
}

/** Rounds a fraction, halves away from zero. */
function rounded(numerator: bigint, denominator: bigint): number {
  const [whole, rest] = [numerator / denominator, numerator % denominator];
  return Number(whole) + (rest * 2n >= denominator ? 1 : 0);
}

interface ModelLine {
  readonly admin: string;
  readonly kind: string;
  readonly amount: number;
  readonly base: number;
  readonly purchase: string | null;
  /** Null: the time of booking. */
  readonly at: number | null;
}

interface Sold {
  readonly id: string;
  readonly who: number;
  readonly cents: number;
  readonly at: number;
  refunded: boolean;
}

/** A naive ledger in memory. */
class Model {
  readonly lines: ModelLine[] = [];
  readonly rules: Rule[] = [];
  /** `to`: null for a running clock. */
  readonly clocks: { who: number; from: number; act: number; to: number | null }[] = [];
  readonly sales: Sold[] = [];
  /** Sales and refunds that aren't booked yet. */
  waiting: { what: 'sale' | 'refund'; sale: Sold }[] = [];
  closed = Number.NEGATIVE_INFINITY;
  readonly cycle: Cycle;
  constructor(cycle: Cycle) {
    this.cycle = cycle;
  }

  ruleOf(person: number, at: number): Rule | undefined {
    const role = person === 1 ? 'moderator' : 'support';
    for (const target of [person, role]) {
      let best: Rule | undefined;
      for (const candidate of this.rules)
        if (candidate.target === target && candidate.at <= at && !(best && best.at > candidate.at))
          best = candidate;
      if (best) return best;
    }
    return undefined;
  }

  add(kind: string, at: number, line: Omit<ModelLine, 'kind' | 'at'>): void {
    const isLate = periodOf(at, this.cycle) <= this.closed;
    this.lines.push({ ...line, kind: isLate ? 'adjustment' : kind, at: isLate ? null : at });
  }

  /** Books what is decided. A running clock without activity since a sale may still be ended before the sale. */
  settle(): void {
    const isOpen = ({ sale }: Model['waiting'][number]) =>
      this.ruleOf(sale.who, sale.at)?.shift === true &&
      this.clocks.some((c) => c.to === null && c.from <= sale.at && c.act <= sale.at);
    const { waiting } = this;
    this.waiting = waiting.filter(isOpen);
    for (const fact of waiting)
      if (!this.waiting.includes(fact)) this[fact.what === 'sale' ? 'sell' : 'refund'](fact.sale);
  }

  sell(sale: Sold): void {
    const present = [0, 1, 2]
      .filter((person) =>
        this.clocks.some(
          (c) => c.who === person && c.from <= sale.at && (c.to === null || sale.at < c.to),
        ),
      )
      .toSorted((a, b) => ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : 1));
    const people =
      this.ruleOf(sale.who, sale.at)?.shift && present.length > 0 ? present : [sale.who];
    let left = sale.cents;
    people.forEach((person, index) => {
      const part = Math.ceil(left / (people.length - index));
      left -= part;
      if (part === 0) return;
      const percent = this.ruleOf(person, sale.at)?.percent ?? 0;
      const amount = rounded(BigInt(part) * BigInt(percent), 10_000n);
      const admin = ids[person] ?? '';
      this.add('sale', sale.at, { admin, amount, base: part, purchase: sale.id });
    });
  }

  refund(sale: Sold): void {
    for (const admin of ids) {
      const own = this.lines.filter((line) => line.purchase === sale.id && line.admin === admin);
      if (own.length === 0) continue;
      const amount = -own.reduce((sum, line) => sum + line.amount, 0);
      const base = -own.reduce((sum, line) => sum + line.base, 0);
      this.add('refund', sale.at, { admin, amount, base, purchase: sale.id });
    }
  }

  runningOf(person: number) {
    return this.clocks.find(({ who: owner, to }) => owner === person && to === null);
  }

  hours(person: number, from: number, to: number): void {
    const seconds = BigInt(Math.floor((to - from) / 1_000));
    const amount = rounded(seconds * BigInt(this.ruleOf(person, from)?.hourly ?? 0), 3_600n);
    this.add('hours', to, { admin: ids[person] ?? '', amount, base: 0, purchase: null });
  }
}

const GUARDED = ['rules', 'lines', 'periods', 'payslips', 'heads'].map((name) => `earning_${name}`);
/** In an order that respects foreign keys. `truncate` would take longer, because it creates files. */
const EMPTIED = [
  'earning_contests',
  'earning_payslips',
  'earning_periods',
  'earning_lines',
  'earning_rules',
  'earning_queue',
  'clocks',
];
const toggled = (what: 'enable' | 'disable') =>
  GUARDED.map((table) => `alter table ${table} ${what} trigger user`);

async function reset(cycle: Cycle): Promise<void> {
  const statements = [
    ...toggled('disable'),
    ...EMPTIED.map((table) => `delete from ${table}`),
    `update earning_heads set length = 0, hash = '${START_HASH}'`,
    ...toggled('enable'),
    `update team_settings set time_zone = '${ZONE}', earning_period = '${cycle}'`,
  ];
  // In one round trip, and one transaction.
  await run(sql.raw(statements.join('; ')));
}

async function allLines(): Promise<EarningLine[]> {
  const lines: EarningLine[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 200, ...(cursor && { cursor }) };
    const { body } = await manager.client.call(listEarnings, { query });
    lines.push(...body.data);
    if (body.next_cursor === null) return lines.toSorted((a, b) => a.seq - b.seq);
    cursor = body.next_cursor;
  }
}

const iso = (at: number) => new Date(at).toISOString();

async function take(model: Model, happened: Step): Promise<void> {
  switch (happened.what) {
    case 'rule': {
      const { target, percent, hourly, shift, at } = happened;
      const isRole = typeof target === 'string';
      await run(sql`insert into earning_rules (admin_id, role, percent_hundredths, hourly_cents, credit, effective_at, created_by)
        values (${isRole ? null : (ids[target] ?? null)}, ${isRole ? target : null}, ${percent}, ${hourly}, ${shift ? 'shift' : 'sender'}, ${iso(at)}, ${manager.admin.id})`);
      model.rules.push(happened);
      return;
    }
    case 'sale': {
      const id = randomUUID();
      await run(sql`insert into purchases (id, attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents, payment_reference, payload_hash, purchased_at)
        values (${id}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${product.id}, ${ids[happened.who] ?? ''}, ${happened.cents}, ${id}, '', ${iso(happened.at)})`);
      const sale = { ...happened, id, refunded: false };
      model.sales.push(sale);
      model.waiting.push({ what: 'sale', sale });
      return;
    }
    case 'clock': {
      const to = happened.at + happened.ms;
      await run(sql`insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
        values (${ids[happened.who] ?? ''}, ${iso(happened.at)}, ${iso(to)}, ${iso(to)}, 'admin')`);
      model.clocks.push({ who: happened.who, from: happened.at, act: to, to });
      model.hours(happened.who, happened.at, to);
      return;
    }
    case 'start': {
      await stop(model, happened.who, 0);
      const act = happened.at + happened.ms;
      await run(sql`insert into clocks (admin_id, started_at, last_act_at)
        values (${ids[happened.who] ?? ''}, ${iso(happened.at)}, ${iso(act)})`);
      model.clocks.push({ who: happened.who, from: happened.at, act, to: null });
      return;
    }
    case 'act': {
      const clock = model.runningOf(happened.who);
      if (clock === undefined) return;
      clock.act += happened.ms;
      await run(sql`update clocks set last_act_at = ${iso(clock.act)}
        where admin_id = ${ids[happened.who] ?? ''} and ended_at is null`);
      return;
    }
    case 'stop':
      return stop(model, happened.who, happened.ms);
    case 'refund': {
      const sale = model.sales[happened.sale % Math.max(1, model.sales.length)];
      if (sale === undefined || sale.refunded) return;
      await run(sql`update purchases set refunded_at = now() where id = ${sale.id}`);
      sale.refunded = true;
      model.waiting.push({ what: 'refund', sale });
      return;
    }
    case 'contest':
      return contest(model, happened);
    case 'close':
      return close(model);
  }
}

/** Stops a running clock. @param ms after its last act */
async function stop(model: Model, person: number, ms: number): Promise<void> {
  const clock = model.runningOf(person);
  if (clock === undefined) return;
  clock.to = clock.act + ms;
  await run(sql`update clocks set ended_at = ${iso(clock.to)}, stopped_by = 'admin'
    where admin_id = ${ids[person] ?? ''} and ended_at is null`);
  model.hours(person, clock.from, clock.to);
}

async function contest(model: Model, happened: Step & { what: 'contest' }): Promise<void> {
  const lines = (await allLines()).filter(
    ({ kind, amount, payment }) =>
      kind !== 'refund' && amount !== 0 && payment?.refunded_at == null,
  );
  const line = lines[happened.line % Math.max(1, lines.length)];
  if (line === undefined) return;
  const { body } = await manager.client.call(contestEarning, {
    params: { line: line.id },
    body: { reason: 'Mine' },
  });
  const params = { id: body.data.id };
  if (!happened.accept) {
    await manager.client.call(rejectContest, { params, body: { reason: 'No' } });
    return;
  }
  // Contesting an adjustment contests the line that it adjusts.
  const original = (await allLines()).find(({ id }) => id === body.data.line_id) ?? line;
  const whole = Math.round(original.amount * 100);
  const part = Math.trunc((whole * happened.part) / 100);
  const before = new Map<string, number>();
  const own = adjusted.get(original.id) ?? new Map([[original.admin_id, whole]]);
  for (const [admin, cents] of own) before.set(admin, cents);
  const taker = ids[happened.to] ?? '';
  const parts = [
    { admin_id: original.admin_id, amount: (whole - part) / 100 },
    { admin_id: taker, amount: part / 100 },
  ];
  await manager.client.call(acceptContest, { params, body: { parts } });
  const after = new Map<string, number>();
  for (const { admin_id, amount } of parts)
    after.set(admin_id, (after.get(admin_id) ?? 0) + Math.round(amount * 100));
  for (const admin of ids) {
    const amount = (after.get(admin) ?? 0) - (before.get(admin) ?? 0);
    const line = { admin, amount, base: 0, purchase: original.purchase_id };
    if (amount === 0) continue;
    // A fact booked as an adjustment has the time of booking.
    if (original.kind === 'adjustment') model.lines.push({ ...line, kind: 'adjustment', at: null });
    else model.add('adjustment', Date.parse(original.at), line);
  }
  adjusted.set(original.id, after);
}
/** Each admin's part of a line after its contests. */
const adjusted = new Map<string, Map<string, number>>();

async function close(model: Model): Promise<void> {
  const { body } = await manager.client.call(listPeriods);
  const period = body.data.find(({ can_close }) => can_close);
  if (period === undefined) return;
  const first = Math.min(...model.rules.map(({ at }) => periodOf(at, model.cycle)));
  const next = Number.isFinite(model.closed) ? model.closed + 1 : first;
  expect(periodOf(Date.parse(period.starts_at), model.cycle)).toBe(next);
  expect(periodOf(Date.parse(period.ends_at) - 1, model.cycle)).toBe(next);
  await manager.client.call(closePeriod, { params: { id: period.id } });
  model.closed = next;
}

/** Returns the sums that a sale is part of: its admin's, its day's and its period's. */
const keysOf = (admin: string, day: string, cycle: Cycle): string[] => [
  admin,
  day,
  `period ${periodOf(Date.parse(`${day}T16:00:00Z`), cycle)}`,
];

/** Returns the net sales of the analytics by admin and by day, in cents. */
async function analytics() {
  const query = { start_date: iso(START - DAY_MS), end_date: iso(START + SPAN + DAY_MS), tz: ZONE };
  const { body } = await manager.client.call(analyticsOverview, { query });
  const cents = (key: string, revenue: number) => [key, Math.round(revenue * 100)] as const;
  return {
    admins: new Map(body.admin_performance.map((one) => cents(one.admin_id, one.total_revenue))),
    days: new Map(body.series.map((day) => cents(day.date, day.revenue))),
  };
}

const plain = ({ admin, kind, amount, base, purchase, at }: ModelLine) =>
  [admin, kind, amount, base, purchase, at].join(' ');

test(
  `random histories give the ledger of a naive model, to the cent (seed ${SEED})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Cycle>('weekly', 'two_weekly', 'monthly'),
        fc.array(rule, { minLength: 1, maxLength: 4 }),
        fc.array(step, { minLength: 5, maxLength: 25 }),
        async (cycle, rules, steps) => {
          adjusted.clear();
          await reset(cycle);
          const model = new Model(cycle);
          const earlier = await analytics();
          for (const happened of [...rules, ...steps]) {
            await take(model, happened);
            // The state at the time of booking counts.
            const { body } = await manager.client.call(listEarnings, { query: { limit: 1 } });
            model.settle();
            const open = model.waiting.filter(
              ({ what, sale }) => what === 'sale' && !sale.refunded,
            );
            const undecided = open.reduce((sum, { sale }) => sum + sale.cents, 0);
            expect(Math.round(body.totals.undecided * 100)).toBe(undecided);
          }
          for (const person of [0, 1, 2]) await stop(model, person, 0);
          model.settle();

          const before = Date.now() - 60_000;
          const lines = await allLines();
          const found = lines.map(({ admin_id, kind, amount, base_amount, purchase_id, at }) => ({
            admin: admin_id,
            kind,
            amount: Math.round(amount * 100),
            base: Math.round(base_amount * 100),
            purchase: purchase_id,
            at: kind === 'adjustment' && Date.parse(at) > before ? null : Date.parse(at),
          }));
          expect(found.map(plain).toSorted()).toEqual(model.lines.map(plain).toSorted());
          expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_line, index) => index + 1));

          // The base amounts are the net sales.
          const net = model.sales
            .filter(({ refunded }) => !refunded)
            .reduce((sum, { cents }) => sum + cents, 0);
          expect(found.reduce((sum, { base }) => sum + base, 0)).toBe(net);

          // They also match by seller, day and period: contests and closed periods don't move them.
          const sums = new Map<string, number>();
          for (const { purchase, base } of found) {
            const sale = model.sales.find(({ id }) => id === purchase);
            if (sale === undefined) continue;
            for (const key of keysOf(ids[sale.who] ?? '', dayFormat.format(sale.at), cycle))
              sums.set(key, (sums.get(key) ?? 0) + base);
          }
          const shown = new Map<string, number>();
          const later = await analytics();
          for (const [key, cents] of later.admins)
            shown.set(key, cents - (earlier.admins.get(key) ?? 0));
          for (const [day, cents] of later.days) {
            const [own = '', period = ''] = keysOf('', day, cycle).slice(1);
            for (const key of [own, period])
              shown.set(key, (shown.get(key) ?? 0) + cents - (earlier.days.get(day) ?? 0));
          }
          const nonzero = (of: Map<string, number>) =>
            [...of]
              .filter(([, cents]) => cents !== 0)
              .map(String)
              .toSorted();
          expect(nonzero(sums)).toEqual(nonzero(shown));

          // The sums of the periods, open and closed, are those of their lines.
          const { body } = await manager.client.call(listPeriods);
          for (const period of body.data)
            for (const admin of ids) {
              const within = lines.filter(
                (line) =>
                  line.admin_id === admin &&
                  line.at >= period.starts_at &&
                  line.at < period.ends_at,
              );
              const sum = within.reduce((total, { amount }) => total + Math.round(amount * 100), 0);
              const slip = period.admins.find(({ admin_id }) => admin_id === admin)?.amount ?? 0;
              expect(Math.round(slip * 100)).toBe(sum);
            }
          expect(await verifyLedger(app.db)).toEqual({ lines: lines.length, broken: null });
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  },
  RUNS * 60_000,
);
