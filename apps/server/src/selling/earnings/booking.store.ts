import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Row, Tables, Tx } from '../../db/tables.ts';
import { LONGEST, SPAN } from '../../team/shifts/on-shift.ts';
import {
  type Earner,
  groupBy,
  isShared,
  type OnClock,
  type Rule,
  shareOfHours,
  sharesOfSale,
} from './calculate.ts';
import { appendLines, type Ledger, lockLedger, type NewLine } from './ledger.store.ts';

/** The maximum number of facts booked in one transaction. */
const BATCH = 500;

/**
 * A sale, a refund or time on the clock that is to be booked. A new kind of fact needs a trigger that queues it, and a case in
 * `bookBatch`.
 */
type Fact = Row<'earning_queue', 'id' | 'source' | 'fact_id'>;

export type SaleFact = Row<
  'purchases',
  'id' | 'admin_id' | 'amount_cents' | 'message_id' | 'purchased_at' | 'refunded_at'
>;
type ClockFact = Row<'clocks', 'id' | 'admin_id' | 'started_at'> & {
  readonly ended_at: Date;
  readonly shift_id: string | null;
};

/** Returns all versions of the rules. There are few. */
export const readRules = (db: Kysely<Tables>): Promise<Rule[]> =>
  db
    .selectFrom('earning_rules')
    .select([
      'version',
      'admin_id',
      'role',
      'percent_hundredths',
      'hourly_cents',
      'credit',
      'effective_at',
    ])
    .execute();

export async function readEarners(db: Kysely<Tables>): Promise<Map<string, Earner>> {
  const admins = await db.selectFrom('admins').select(['id', 'role']).execute();
  return new Map(admins.map((admin) => [admin.id, admin]));
}

/** SQL: the admin's planned shift that the clock `c` overlaps longest; null if it overlaps none. */
const PLANNED = `(select s.id from shifts s where s.admin_id = c.admin_id and s.ends_at > c.started_at
    and s.starts_at < coalesce(c.ended_at, now()) and s.starts_at > c.started_at - ${LONGEST}
  order by least(s.ends_at, coalesce(c.ended_at, now())) - greatest(s.starts_at, c.started_at) desc, s.starts_at, s.id limit 1)`;

const CLOCK_COLUMNS = `c.id, c.admin_id, c.started_at, c.ended_at, ${PLANNED} as shift_id`;

/** Returns a function that finds the admins on the clock at one of these times, ordered by id. */
async function readOnClock(
  db: Kysely<Tables>,
  times: readonly Date[],
): Promise<(at: Date) => OnClock[]> {
  if (times.length === 0) return () => [];
  const { rows } = await sql<OnClockSpan>`
    select c.admin_id as id, a.role, c.started_at, c.ended_at, ${sql.raw(PLANNED)} as shift_id
    from clocks c join admins a on a.id = c.admin_id
    where c.id in (
      select c.id from (select distinct date_trunc('hour', at) as at from unnest(${times.map((at) => at.toISOString())}::timestamptz[]) at) hours
        join clocks c on ${sql.raw(SPAN)} && tstzrange(hours.at, hours.at + interval '1 hour'))
    order by c.admin_id, c.started_at`.execute(db);
  return presentAmong(rows);
}

export type OnClockSpan = OnClock & Pick<Row<'clocks'>, 'started_at' | 'ended_at'>;

/** Returns a function that finds the admins on the clock at a time. @param spans ordered by admin id */
export function presentAmong(spans: readonly OnClockSpan[]): (at: Date) => OnClock[] {
  // Numbers are faster to compare than dates: a period has thousands of sales, each with hundreds of clocks around it.
  const clocks = spans.map(({ started_at, ended_at, ...who }) => ({
    who,
    from: +started_at,
    to: ended_at === null ? Number.POSITIVE_INFINITY : +ended_at,
  }));
  return (at) => {
    const time = +at;
    const present: OnClock[] = [];
    for (const { who, from, to } of clocks) {
      // Adds each admin only once.
      if (from <= time && time < to && who.id !== present.at(-1)?.id) present.push(who);
    }
    return present;
  };
}

/**
 * SQL: whether a queued sale `q`, or its refund, can't be booked yet. A sale with shift credit is shared by everyone who was on
 * the clock, and a clock without activity since the sale may still be ended with a time before the sale. Once decided, a sale
 * stays decided, because clocks never end before their last activity.
 */
export const UNDECIDED = `(q.source <> 'hours' and exists (
  select from purchases p join clocks c on c.ended_at is null and c.started_at <= p.purchased_at and c.last_act_at <= p.purchased_at
  where p.id = q.fact_id and (
    select r.credit from admins a join earning_rules r on r.admin_id = a.id or r.role = a.role
    where a.id = p.admin_id and r.effective_at <= p.purchased_at
    order by r.admin_id is null, r.effective_at desc, r.version desc limit 1
  ) = 'shift'))`;

/**
 * Books the queued facts in order. Every node may run it at any time: each batch is one transaction that locks the ledger, takes
 * facts from the queue and appends their lines.
 * @param notify receives the admins whose earnings of a closed period were adjusted
 */
export async function bookFacts(
  db: Database,
  notify: (adminIds: readonly string[]) => void,
): Promise<void> {
  for (;;) {
    const [waiting] = await db.run<Row<'earning_queue', 'id'>>(
      {
        name: 'earnings_waiting',
        text: `select id from earning_queue q where not ${UNDECIDED} limit 1`,
      },
      [],
    );
    if (waiting === undefined) return;
    const { adjusted } = await db.kysely.transaction().execute(async (tx) => {
      const ledger = await lockLedger(tx);
      await bookBatch(tx, ledger);
      return ledger;
    });
    if (adjusted.size > 0) notify([...adjusted]);
  }
}

/** Books the next facts in the caller's transaction, which has locked the ledger. @returns whether there were any */
export async function bookBatch(tx: Tx, ledger: Ledger): Promise<boolean> {
  const { rows } = await sql<Fact>`
    delete from earning_queue where id in (
      select id from earning_queue q where not ${sql.raw(UNDECIDED)} order by id limit ${BATCH})
    returning id, source, fact_id`.execute(tx);
  const facts = rows.toSorted((a, b) => a.id - b.id);
  if (facts.length === 0) return false;
  const ids = facts.map(({ fact_id }) => fact_id);
  const sales = await tx
    .selectFrom('purchases')
    .select(['id', 'admin_id', 'amount_cents', 'message_id', 'purchased_at', 'refunded_at'])
    .where('id', 'in', ids)
    .execute();
  const { rows: clocks } = await sql<ClockFact>`
    select ${sql.raw(CLOCK_COLUMNS)} from clocks c where c.id = any(${ids}::uuid[])`.execute(tx);
  const rules = await readRules(tx);
  const earners = await readEarners(tx);
  const onClock = await readOnClock(
    tx,
    sales
      .filter((sale) => isShared(rules, earnerOf(earners, sale.admin_id), sale.purchased_at))
      .map(({ purchased_at }) => purchased_at),
  );
  const booked = await tx
    .selectFrom('earning_lines')
    .selectAll()
    .where('purchase_id', 'in', ids)
    .orderBy('seq')
    .execute();
  const saleById = new Map(sales.map((sale) => [sale.id, sale]));
  const clockById = new Map(clocks.map((clock) => [clock.id, clock]));

  const lines: NewLine[] = [];
  const bookSale = (sale: SaleFact) => {
    const sender = earnerOf(earners, sale.admin_id);
    const { amount_cents: cents, purchased_at: at } = sale;
    for (const share of sharesOfSale(rules, { sender, cents, at }, onClock))
      lines.push({ ...ofSale(sale), ...when(ledger, 'sale', at), ...share });
  };
  const bookRefund = (sale: SaleFact) => {
    const all = [...booked, ...lines].filter(({ purchase_id }) => purchase_id === sale.id);
    for (const [admin_id, own] of groupBy(all, (line) => line.admin_id)) {
      const sum = (column: 'amount_cents' | 'base_cents') =>
        0 - own.reduce((total, line) => total + line[column], 0);
      const { rate_hundredths, rule_version, shift_id, shared_by } = own[0] as NewLine;
      lines.push({
        ...ofSale(sale),
        ...when(ledger, 'refund', sale.purchased_at),
        source: 'refund',
        admin_id,
        amount_cents: sum('amount_cents'),
        base_cents: sum('base_cents'),
        rate_hundredths,
        rule_version,
        shift_id,
        shared_by,
        seconds: null,
        note: `Refunded at ${sale.refunded_at?.toISOString()}`,
      });
    }
  };
  const bookHours = ({ admin_id, shift_id, ...clock }: ClockFact) => {
    const admin = { ...earnerOf(earners, admin_id), shift_id };
    lines.push({
      ...when(ledger, 'hours', clock.ended_at),
      ...shareOfHours(rules, { admin, ...clock }),
      source: 'hours',
      fact_id: clock.id,
      purchase_id: null,
      message_id: null,
      adjusts: null,
    });
  };

  for (const { source, fact_id } of facts) {
    const sale = saleById.get(fact_id);
    const clock = clockById.get(fact_id);
    if (source === 'sale' && sale !== undefined) bookSale(sale);
    if (source === 'refund' && sale !== undefined) bookRefund(sale);
    if (source === 'hours' && clock !== undefined) bookHours(clock);
  }
  await appendLines(tx, lines);
  for (const { kind, admin_id } of lines) if (kind === 'adjustment') ledger.adjusted.add(admin_id);
  return true;
}

/** Returns a line's kind, time and note. A fact from a closed period becomes an adjustment in the open period. */
function when({ now, closedUpTo }: Ledger, kind: 'sale' | 'refund' | 'hours', at: Date) {
  if (closedUpTo === null || at >= closedUpTo) return { kind, at, note: null };
  return {
    kind: 'adjustment' as const,
    at: now,
    // The console's `noteOf` recognizes this text to translate it.
    note: `Booked late, for ${at.toISOString()}`,
  };
}

const ofSale = ({ id, message_id }: SaleFact) => ({
  source: 'sale' as const,
  fact_id: id,
  purchase_id: id,
  message_id,
  adjusts: null,
});

export function earnerOf(earners: ReadonlyMap<string, Earner>, id: string): Earner {
  const earner = earners.get(id);
  if (earner === undefined) throw new Error(`there is no admin ${id}`);
  return earner;
}
