import { randomUUID } from 'node:crypto';
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
import { afterAll, expect, test } from 'vitest';
import { buildStaff } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/test-app.ts';
import { buildProduct } from '../../../test/worlds/catalogue.ts';
import { START as START_HASH } from './ledger.store.ts';
import { verifyLedger } from './verify-ledger.ts';

/** `EARNINGS_RUNS` and `EARNINGS_SEED` try more histories, or one again. */
const RUNS = Number(process.env.EARNINGS_RUNS ?? 200);
const SEED = Number(process.env.EARNINGS_SEED ?? 1);
const ZONE = 'America/New_York';
/** Five weeks around the end of daylight saving time in New York. */
const START = Date.UTC(2025, 9, 13, 4);
const SPAN = 35 * 86_400_000;

const app = await startTestApp();
afterAll(() => app.close());
const run = (text: ReturnType<typeof sql<unknown>>) => text.execute(app.db.kysely);
const manager = await buildStaff(app, { role: 'manager' });
const staff = [
  await buildStaff(app),
  await buildStaff(app, { role: 'moderator' }),
  await buildStaff(app),
];
const ids = staff.map(({ admin }) => admin.id);
const product = await buildProduct(manager);

const who = fc.nat({ max: 2 });
const when = fc.oneof(
  fc.integer({ min: 0, max: SPAN }).map((after) => START + after),
  // The hour that happens twice, and the ends of weeks.
  fc.integer({ min: 0, max: 7_200_000 }).map((after) => Date.UTC(2025, 10, 2, 5) + after),
  fc
    .tuple(fc.nat({ max: 4 }), fc.integer({ min: -2, max: 2 }))
    .map(([week, off]) => START + week * 7 * 86_400_000 + off * 3_600_000),
);
const rule = fc.record({ what: fc.constant('rule' as const), target: fc.constantFrom(0, 1, 2, 'support', 'moderator'), percent: fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(2_000, 1_250, 3_333)), hourly: fc.nat({ max: 9_999 }), shift: fc.boolean(), at: when }); // biome-ignore format: a line
const step = fc.oneof(
  { weight: 2, arbitrary: rule },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('sale' as const), who, cents: fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom(1, 2, 499, 250)), at: when }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('clock' as const), who, at: when, ms: fc.nat({ max: 12 * 3_600_000 }) }) },
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
  /** Null: when it was booked. */
  readonly at: number | null;
}

/** A naive ledger in memory. */
class Model {
  readonly lines: ModelLine[] = [];
  readonly rules: Rule[] = [];
  readonly clocks: { who: number; from: number; to: number }[] = [];
  readonly sales: { id: string; who: number; cents: number; at: number; refunded: boolean }[] = [];
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

  sell(sale: { id: string; who: number; cents: number; at: number }): void {
    this.sales.push({ ...sale, refunded: false });
    const present = [0, 1, 2]
      .filter((person) =>
        this.clocks.some((c) => c.who === person && c.from <= sale.at && sale.at < c.to),
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

  refund(sale: Model['sales'][number]): void {
    sale.refunded = true;
    for (const admin of ids) {
      const own = this.lines.filter((line) => line.purchase === sale.id && line.admin === admin);
      if (own.length === 0) continue;
      const amount = -own.reduce((sum, line) => sum + line.amount, 0);
      const base = -own.reduce((sum, line) => sum + line.base, 0);
      this.add('refund', sale.at, { admin, amount, base, purchase: sale.id });
    }
  }

  clock(person: number, from: number, to: number): void {
    this.clocks.push({ who: person, from, to });
    const seconds = BigInt(Math.floor((to - from) / 1_000));
    const amount = rounded(seconds * BigInt(this.ruleOf(person, from)?.hourly ?? 0), 3_600n);
    this.add('hours', to, { admin: ids[person] ?? '', amount, base: 0, purchase: null });
  }
}

async function reset(cycle: Cycle): Promise<void> {
  const guarded = ['rules', 'lines', 'periods', 'payslips', 'heads'].map(
    (name) => `earning_${name}`,
  );
  for (const table of guarded) await run(sql`alter table ${sql.table(table)} disable trigger user`);
  await run(
    sql`truncate earning_rules, earning_lines, earning_contests, earning_periods, earning_payslips, earning_queue, clocks`,
  );
  await run(sql`update earning_heads set length = 0, hash = ${START_HASH}`);
  for (const table of guarded) await run(sql`alter table ${sql.table(table)} enable trigger user`);
  await run(sql`update team_settings set time_zone = ${ZONE}, earning_period = ${cycle}`);
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
      await manager.client.call(listEarnings);
      await run(sql`insert into earning_rules (admin_id, role, percent_hundredths, hourly_cents, credit, effective_at, created_by)
        values (${isRole ? null : (ids[target] ?? null)}, ${isRole ? target : null}, ${percent}, ${hourly}, ${shift ? 'shift' : 'sender'}, ${iso(at)}, ${manager.admin.id})`);
      model.rules.push(happened);
      return;
    }
    case 'sale': {
      const id = randomUUID();
      await run(sql`insert into purchases (id, attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents, payment_reference, payload_hash, purchased_at)
        values (${id}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, ${product.id}, ${ids[happened.who] ?? ''}, ${happened.cents}, ${id}, '', ${iso(happened.at)})`);
      // The clocks at the time of booking count.
      await manager.client.call(listEarnings);
      model.sell({ ...happened, id });
      return;
    }
    case 'clock': {
      const to = happened.at + happened.ms;
      await run(sql`insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
        values (${ids[happened.who] ?? ''}, ${iso(happened.at)}, ${iso(to)}, ${iso(to)}, 'admin')`);
      model.clock(happened.who, happened.at, to);
      return;
    }
    case 'refund': {
      const sale = model.sales[happened.sale % Math.max(1, model.sales.length)];
      if (sale === undefined || sale.refunded) return;
      await run(sql`update purchases set refunded_at = now() where id = ${sale.id}`);
      model.refund(sale);
      return;
    }
    case 'contest':
      return contest(model, happened);
    case 'close':
      return close(model);
  }
}

async function contest(model: Model, happened: Step & { what: 'contest' }): Promise<void> {
  const lines = (await allLines()).filter(
    ({ kind, payment }) => kind !== 'refund' && payment?.refunded_at == null,
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
  // A contest of an adjustment is one of the line that it adjusts.
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
    if (amount !== 0)
      model.lines.push({
        admin,
        kind: 'adjustment',
        amount,
        base: 0,
        purchase: original.purchase_id,
        at: null,
      });
  }
  adjusted.set(original.id, after);
}
/** What each admin has of a line after its contests. */
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

const plain = ({ admin, kind, amount, base, purchase, at }: ModelLine) =>
  [admin, kind, amount, base, purchase, at].join(' ');

test(`random histories give the ledger of a naive model, to the cent (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<Cycle>('weekly', 'two_weekly', 'monthly'),
      fc.array(rule, { minLength: 1, maxLength: 4 }),
      fc.array(step, { minLength: 5, maxLength: 25 }),
      async (cycle, rules, steps) => {
        adjusted.clear();
        await reset(cycle);
        const model = new Model(cycle);
        for (const happened of [...rules, ...steps]) await take(model, happened);

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

        // The sums of the periods, open and closed, are those of their lines.
        const { body } = await manager.client.call(listPeriods);
        for (const period of body.data)
          for (const admin of ids) {
            const within = lines.filter(
              (line) =>
                line.admin_id === admin && line.at >= period.starts_at && line.at < period.ends_at,
            );
            const sum = within.reduce((total, { amount }) => total + Math.round(amount * 100), 0);
            const shown = period.admins.find(({ admin_id }) => admin_id === admin)?.amount ?? 0;
            expect(Math.round(shown * 100)).toBe(sum);
          }
        expect(await verifyLedger(app.db)).toEqual({ lines: lines.length, broken: null });
      },
    ),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
}, 3_600_000);
