import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { groupBy } from './calculate.ts';
import { hashOf, type Line, START } from './ledger.store.ts';

const LINES_READ = 5_000;

/** A record that was tampered with, and the evidence. */
interface Broken {
  readonly what: string;
  readonly reason: string;
}

/**
 * Verifies the ledger's lines, then its rules, closed periods and pay slips. Reads a single snapshot of the database, so booking
 * can continue at the same time.
 * @returns the number of lines, and the first record that was tampered with, if any
 */
export async function verifyLedger(
  db: Database,
): Promise<{ lines: number; broken: Broken | null }> {
  return db.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local timezone = 'UTC'; set local statement_timeout = 0`.execute(tx);
      const { rows } = await sql<Row<'earning_heads'>>`select * from earning_heads`.execute(tx);
      const heads = new Map(rows.map((head) => [head.chain, head]));
      const headOf = (chain: Row<'earning_heads'>['chain']) => heads.get(chain) ?? null;
      const { lines, broken } = await walkLines(tx, headOf('lines'));
      return {
        lines,
        broken:
          broken ??
          (await findBrokenRecord(tx, 'rule', headOf('rules'))) ??
          (await findBrokenRecord(tx, 'period', headOf('periods'))) ??
          (await findBrokenPeriod(tx)),
      };
    });
}

type Head = Row<'earning_heads'> | null;
const NO_HEAD = { what: 'The head', reason: 'it is missing' };

async function walkLines(tx: Tx, head: Head): Promise<{ lines: number; broken: Broken | null }> {
  const anchors = await tx
    .selectFrom('earning_periods')
    .select(['id', 'last_seq', 'last_hash'])
    .execute();
  const anchorsAt = groupBy(anchors, ({ last_seq }) => last_seq);
  let [seq, hash] = [0, START];
  const broken = (at: number, reason: string) => ({
    lines: seq,
    broken: { what: `Line ${at}`, reason },
  });
  for (;;) {
    const lines: Line[] = await tx
      .selectFrom('earning_lines')
      .selectAll()
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(LINES_READ)
      .execute();
    for (const line of lines) {
      if (line.seq !== seq + 1) return broken(seq + 1, 'it is missing');
      if (line.previous_hash !== hash)
        return broken(line.seq, 'it does not link to the line before it');
      if (hashOf(line) !== line.hash) return broken(line.seq, 'its fields do not match its hash');
      seq = line.seq;
      hash = line.hash;
      const anchor = anchorsAt.get(seq)?.find(({ last_hash }) => last_hash !== hash);
      if (anchor !== undefined)
        return broken(seq, `it is not the line with which the period ${anchor.id} was closed`);
    }
    if (lines.length < LINES_READ) break;
  }
  if (head === null) return { lines: seq, broken: NO_HEAD };
  const last = Math.max(head.length, ...anchors.map(({ last_seq }) => last_seq));
  if (last > seq) return broken(seq + 1, `it is missing; ${last} lines were booked`);
  if (head.length < seq) return broken(head.length + 1, `only ${head.length} lines were booked`);
  if (head.hash !== hash) return broken(seq, 'it is not the line that was booked last');
  return { lines: seq, broken: null };
}

/** Returns the first broken record in the chain of the rules or of the closed periods, or null. */
async function findBrokenRecord(
  tx: Tx,
  kind: 'rule' | 'period',
  head: Head,
): Promise<Broken | null> {
  if (head === null) return NO_HEAD;
  const [table, key] = kind === 'rule' ? ['earning_rules', 'version'] : ['earning_periods', 'id'];
  const { rows } = await sql<{ name: string; expected: string; hash: string }>`
    select ${sql.ref(key)}::text as name, hash,
      earning_record_hash(lag(hash, 1, ${START}) over (order by ${sql.ref(key)}), to_jsonb(r)) as expected
    from ${sql.table(table)} r order by ${sql.ref(key)}`.execute(tx);
  const what = kind === 'rule' ? 'Rule' : 'The period';
  const wrong = rows.find(({ hash, expected }) => hash !== expected);
  if (wrong !== undefined)
    return {
      what: `${what} ${wrong.name}`,
      reason: 'its fields, or the one before it, were changed',
    };
  if (rows.length === head.length && (rows.at(-1)?.hash ?? START) === head.hash) return null;
  return {
    what: `${what} after ${rows.at(-1)?.name ?? 'the start'}`,
    reason: `there are ${rows.length}, and ${head.length} were stored`,
  };
}

/** Checks that closed periods follow each other, and that pay slips are the sums of their lines. */
async function findBrokenPeriod(tx: Tx): Promise<Broken | null> {
  const gaps = await sql<{ id: string }>`
    select id from (select id, starts_at, lag(ends_at) over (order by ends_at) as before from earning_periods) p
    where starts_at <> before order by id limit 1`.execute(tx);
  if (gaps.rows[0] !== undefined)
    return {
      what: `The period ${gaps.rows[0].id}`,
      reason: 'it does not start where the one before it ends',
    };
  const { rows } = await sql<{ period_id: string; admin_id: string }>`
    select period_id, admin_id from (
      select ids[width_bucket(l.at, starts)] as period_id, l.admin_id, sum(l.amount_cents) as amount, sum(l.base_cents) as base,
        coalesce(sum(l.seconds), 0) as seconds
      from earning_lines l,
        (select array_agg(id order by ends_at) as ids, array_agg(starts_at order by ends_at) as starts, max(ends_at) as ended from earning_periods) p
      where l.at >= starts[1] and l.at < ended group by 1, 2
    ) l full join earning_payslips s using (period_id, admin_id)
    where (l.amount, l.base, l.seconds) is distinct from (s.amount_cents, s.base_cents, s.seconds)
    order by period_id, admin_id limit 1`.execute(tx);
  const [slip] = rows;
  if (slip === undefined) return null;
  return {
    what: `The pay slip of ${slip.admin_id} for the period ${slip.period_id}`,
    reason: 'it is not the sum of its lines',
  };
}
