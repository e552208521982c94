import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  type Earner,
  groupBy,
  type OnClock,
  type Rule,
  type Share,
  shareOfHours,
  sharesOfSale,
} from '../../apps/server/src/selling/earnings/calculate.ts';
import {
  hashOf,
  type Line,
  type NewLine,
  START,
} from '../../apps/server/src/selling/earnings/ledger.store.ts';
import { copyRows, type Value } from '../lib/generate/copy-rows.ts';

const COLUMNS =
  'seq id admin_id at kind source fact_id amount_cents base_cents rate_hundredths rule_version purchase_id message_id shift_id adjusts shared_by seconds note previous_hash hash';
const FETCHED = 20_000;
const LONGEST_MS = 12 * 3_600_000;
/** The number of contests. A third are open, a third rejected, and a third accepted; accepting one adds two lines. */
const CONTESTS = 300;

interface Fact {
  readonly source: 'sale' | 'refund' | 'hours';
  readonly id: string;
  readonly admin_id: string;
  readonly at: Date;
  readonly started_at: Date;
  readonly cents: number;
  readonly message_id: string;
  readonly shift_id: string | null;
  readonly is_refunded: boolean;
}

const FACTS = `
  select 'sale' as source, id, admin_id, purchased_at as at, purchased_at as started_at, amount_cents as cents, message_id,
    null::uuid as shift_id, refunded_at is not null as is_refunded from purchases
  union all
  select 'refund', id, admin_id, refunded_at, purchased_at, amount_cents, message_id, null, true from purchases where refunded_at is not null
  union all
  select 'hours', c.id, c.admin_id, ended_at, started_at, 0, null, s.id, false
  from clocks c left join shifts s on s.admin_id = c.admin_id and s.starts_at = date_bin('8 hours', c.started_at, 'epoch')
  where ended_at is not null
  order by at, source desc, id`;

/** Books all facts with the server's own rules and hashes, and adds contests with answers. @returns the number of lines */
export async function fillLines(client: pg.Client, log: (line: string) => void): Promise<number> {
  const { rows: rules } = await client.query<Rule>('select * from earning_rules');
  const { rows: admins } = await client.query<Earner>('select id, role from admins');
  const earners = new Map(admins.map((admin) => [admin.id, admin]));
  const onClock = await readClocks(client, earners);
  const sharesOfRefunded = new Map<string, Share[]>();

  function linesOf(fact: Fact): NewLine[] {
    const { source, at, started_at, cents, id } = fact;
    const admin = { ...(earners.get(fact.admin_id) as Earner), shift_id: fact.shift_id };
    const own = { source, fact_id: id, adjusts: null, note: null };
    if (source === 'hours') {
      const share = shareOfHours(rules, { admin, started_at, ended_at: at });
      return [{ ...own, kind: 'hours', at, purchase_id: null, message_id: null, ...share }];
    }
    const sale = {
      ...own,
      kind: source,
      at: started_at,
      purchase_id: id,
      message_id: fact.message_id,
    };
    if (source === 'sale') {
      const shares = sharesOfSale(rules, { sender: admin, cents, at }, onClock);
      if (fact.is_refunded) sharesOfRefunded.set(id, shares);
      return shares.map((share) => ({ ...sale, ...share }));
    }
    const shares = sharesOfRefunded.get(id) ?? [];
    sharesOfRefunded.delete(id);
    return shares.map((share) => ({
      ...sale,
      ...share,
      amount_cents: -share.amount_cents || 0,
      base_cents: -share.base_cents,
    }));
  }

  let [seq, hash] = [0, START];
  const chain = (line: NewLine): Line => {
    const placed = { ...line, seq: ++seq, id: randomUUID(), previous_hash: hash };
    hash = hashOf(placed);
    return { ...placed, hash };
  };
  const newest: Line[] = [];
  const copy = (lines: readonly Line[]) =>
    copyRows(
      client,
      {
        table: 'earning_lines',
        columns: COLUMNS,
        expected: lines.length,
        rows: () => lines.map(valuesOf),
      },
      log,
      false,
    );

  // `with hold` keeps the cursor open across transactions, because each copy of lines commits one.
  await client.query(`declare facts cursor with hold for ${FACTS}`);
  for (;;) {
    const { rows } = await client.query<Fact>(`fetch ${FETCHED} from facts`);
    if (rows.length === 0) break;
    const lines = rows.flatMap(linesOf).map(chain);
    newest.push(
      ...lines.filter(({ source, amount_cents }) => source === 'sale' && amount_cents > 1),
    );
    newest.splice(0, Math.max(0, newest.length - CONTESTS));
    await copy(lines);
  }
  await client.query('close facts');

  const contests = newest.map((line, index) => ({
    line,
    id: randomUUID(),
    by: admins[index % admins.length] as Earner,
    state: (['accepted', 'open', 'rejected'] as const)[index % 3],
  }));
  const now = new Date();
  await copy(
    contests
      .filter(({ state, line, by }) => state === 'accepted' && by.id !== line.admin_id)
      .flatMap(({ line, id, by }) =>
        [
          { admin_id: line.admin_id, amount_cents: -1 },
          { admin_id: by.id, amount_cents: 1 },
        ].map((part) =>
          chain({
            ...line,
            ...part,
            at: now,
            kind: 'adjustment',
            source: 'contest',
            fact_id: id,
            base_cents: 0,
            adjusts: line.id,
            seconds: null,
            note: null,
          }),
        ),
      ),
  );
  await client.query(
    `insert into earning_contests (id, line_id, admin_id, reason, state, answer, answered_by, answered_at)
    select c.id, line, by, 'I sent it', state, case when state <> 'open' then 'Seen' end, case when state <> 'open' then a.id end,
      case when state <> 'open' then now() end
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) c (id, line, by, state), (select id from admins where role = 'creator') a`,
    [
      contests.map(({ id }) => id),
      contests.map(({ line }) => line.id),
      contests.map(({ by }) => by.id),
      contests.map(({ state }) => state),
    ],
  );
  await client.query(`update earning_heads set length = $1, hash = $2 where chain = 'lines'`, [
    seq,
    hash,
  ]);
  return seq;
}

/** Returns a function that returns the admins on the clock at a given time, sorted by id. */
async function readClocks(client: pg.Client, earners: ReadonlyMap<string, Earner>) {
  const { rows } = await client.query<{
    admin_id: string;
    started_at: Date;
    ended_at: Date | null;
  }>('select admin_id, started_at, ended_at from clocks order by started_at');
  const byDay = groupBy(rows, ({ started_at }) => Math.floor(+started_at / LONGEST_MS));
  return (at: Date): OnClock[] => {
    const half = Math.floor(+at / LONGEST_MS);
    return [...(byDay.get(half - 1) ?? []), ...(byDay.get(half) ?? [])]
      .filter(
        ({ started_at, ended_at }) => started_at <= at && (ended_at === null || ended_at > at),
      )
      .map(({ admin_id }) => ({ ...(earners.get(admin_id) as Earner), shift_id: null }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
}

const valuesOf = (line: Line): Value[] =>
  COLUMNS.split(' ').map((column) => {
    const value = line[column as keyof Line];
    return value instanceof Date ? value.toISOString() : value;
  });
