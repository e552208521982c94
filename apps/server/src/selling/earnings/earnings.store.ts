import { toUsd } from '@stagedoor/contract/selling/cents';
import type { EarningLine, EarningTotals } from '@stagedoor/contract/selling/earnings';
import * as z from 'zod/mini';
import type { Database } from '../../db/database.ts';
import { type AddValue, collectValues } from '../../db/searches.ts';
import { cursorCodec, cursorInstant } from '../../http/cursor.ts';
import { UNDECIDED } from './booking.store.ts';
import { presentContests, selectContests } from './contests.store.ts';
import { readLines } from './lines.store.ts';

export const earningCursors = cursorCodec({
  at: cursorInstant(3),
  seq: z.int().check(z.nonnegative()),
});

export interface EarningsQuery {
  /** ISO instants; null: no limit. */
  readonly from: string | null;
  readonly to: string | null;
  /** A UUID; null: everyone's. */
  readonly adminId: string | null;
}

function conditionsOf({ from, to, adminId }: EarningsQuery, add: AddValue): string[] {
  const conditions = ['true'];
  if (from !== null) conditions.push(`l.at >= ${add(from)}`);
  if (to !== null) conditions.push(`l.at < ${add(to)}`);
  if (adminId !== null) conditions.push(`l.admin_id = ${add(adminId)}`);
  return conditions;
}

/**
 * Returns lines with the data that explains them, and their contests, newest first.
 * @param reader as for {@link selectContests}
 */
export async function listLines(
  db: Database,
  query: EarningsQuery,
  page: {
    readonly cursor: { readonly at: string; readonly seq: number } | null;
    readonly limit: number;
  },
  reader: string | null,
): Promise<EarningLine[]> {
  const { values, add } = collectValues(page.limit);
  const conditions = conditionsOf(query, add);
  if (page.cursor !== null) {
    const { at, seq } = page.cursor;
    conditions.push(`(l.at, l.seq) < (${add(at)}, ${add(seq)})`);
  }
  const lines = await readLines(
    db,
    `select * from earning_lines l where ${conditions.join(' and ')} order by l.at desc, l.seq desc limit $1`,
    values,
  );
  const rows = await selectContests(db.kysely, reader)
    .where((eb) =>
      eb('c.line_id', '=', eb.fn.any(eb.val(lines.map(({ contestable }) => contestable)))),
    )
    .orderBy('c.created_at')
    .execute();
  const contests = await presentContests(db, rows, reader);
  const byLine = new Map(rows.map(({ line_id }, at) => [line_id, contests[at]]));
  return lines.map(({ contestable, line }) => ({
    ...line,
    contest: byLine.get(contestable) ?? null,
  }));
}

const sumOf = (kind: string) =>
  `coalesce(sum(amount_cents) filter (where kind = '${kind}'), 0)::bigint`;

/** Returns the sums of all lines that match. */
export async function sumLines(db: Database, query: EarningsQuery): Promise<EarningTotals> {
  const { values, add } = collectValues();
  const undecided = [query.adminId === null ? 'true' : 'false'];
  if (query.from !== null) undecided.push(`p.purchased_at >= ${add(query.from)}`);
  if (query.to !== null) undecided.push(`p.purchased_at < ${add(query.to)}`);
  const [row] = await db.runPlanned<Record<keyof EarningTotals, number>>(
    `select coalesce(sum(amount_cents), 0)::bigint as amount, coalesce(sum(base_cents), 0)::bigint as base_amount,
      coalesce(sum(seconds), 0)::bigint as seconds, ${sumOf('sale')} as sales,
      ${sumOf('refund')} as refunds, ${sumOf('hours')} as hours,
      ${sumOf('adjustment')} as adjustments,
      (select coalesce(sum(p.amount_cents), 0)::bigint from earning_queue q join purchases p on p.id = q.fact_id
        where q.source = 'sale' and ${UNDECIDED} and p.refunded_at is null and ${undecided.join(' and ')}) as undecided
    from earning_lines l where ${conditionsOf(query, add).join(' and ')}`,
    values,
  );
  if (row === undefined) throw new Error('no row returned');
  return {
    amount: toUsd(row.amount),
    base_amount: toUsd(row.base_amount),
    seconds: row.seconds,
    sales: toUsd(row.sales),
    refunds: toUsd(row.refunds),
    hours: toUsd(row.hours),
    adjustments: toUsd(row.adjustments),
    undecided: toUsd(row.undecided),
  };
}
