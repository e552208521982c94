import { toUsd } from '@stagedoor/contract/selling/cents';
import type {
  CommissionRule,
  EarningLine,
  EarningTotals,
} from '@stagedoor/contract/selling/earnings';
import * as z from 'zod/mini';
import type { Database } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';
import { cursorCodec } from '../../http/cursor.ts';
import { arithmeticOf } from './arithmetic.ts';
import { UNDECIDED } from './booking.store.ts';
import { type ContestRow, presentContest, selectContests } from './contests.store.ts';
import type { Line } from './ledger.store.ts';
import { presentRule, readRuleViews } from './rules.store.ts';

export const earningCursors = cursorCodec({
  at: z.iso.datetime({ precision: 3 }),
  seq: z.int().check(z.nonnegative()),
});

export interface EarningsQuery {
  /** ISO instants; null: no limit. */
  readonly from: string | null;
  readonly to: string | null;
  /** A UUID; null: everyone's. */
  readonly adminId: string | null;
}

interface LineRow
  extends Line,
    Row<'purchases', 'purchased_at' | 'refunded_at' | 'payment_reference' | 'product_id'> {
  readonly codename: string;
  readonly paid_cents: number | null;
  readonly title: string;
  readonly content: string | null;
  readonly conversation_id: string;
  readonly sent_at: Date;
}

function conditionsOf({ from, to, adminId }: EarningsQuery, values: unknown[]): string[] {
  const conditions = ['true'];
  if (from !== null) conditions.push(`l.at >= $${values.push(from)}`);
  if (to !== null) conditions.push(`l.at < $${values.push(to)}`);
  if (adminId !== null) conditions.push(`l.admin_id = $${values.push(adminId)}`);
  return conditions;
}

/**
 * Returns lines with what explains them, newest first.
 * @param reader which contests may be shown: null shows everyone's, otherwise the contests that concern this admin
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
  const values: unknown[] = [page.limit];
  const conditions = conditionsOf(query, values);
  if (page.cursor !== null) {
    const at = `$${values.push(page.cursor.at)}`;
    conditions.push(`(l.at, l.seq) < (${at}, $${values.push(page.cursor.seq)})`);
  }
  const rows = await db.runPlanned<LineRow>(
    `select l.*, a.codename, p.purchased_at, p.refunded_at, p.payment_reference, p.product_id,
      p.amount_cents as paid_cents, products.title, m.content, m.conversation_id, m.created_at as sent_at
    from (select * from earning_lines l where ${conditions.join(' and ')} order by l.at desc, l.seq desc limit $1) l
      join admins a on a.id = l.admin_id
      left join purchases p on p.id = l.purchase_id
      left join products on products.id = p.product_id
      left join messages m on m.id = l.message_id
    order by l.at desc, l.seq desc`,
    values,
  );
  const rules = new Map(
    (await readRuleViews(db.kysely)).map((rule) => [rule.version, presentRule(rule)]),
  );
  const contests = await selectContests(db.kysely)
    .where((eb) =>
      eb('c.line_id', '=', eb.fn.any(eb.val(rows.map((row) => row.adjusts ?? row.id)))),
    )
    .$if(reader !== null, (contest) =>
      contest.where((eb) => eb.or([eb('c.admin_id', '=', reader), eb('l.admin_id', '=', reader)])),
    )
    .orderBy('c.created_at')
    .execute();
  const byLine = new Map(contests.map((contest) => [contest.line_id, contest]));
  return rows.map((row) => presentLine(row, rules, byLine.get(row.adjusts ?? row.id), reader));
}

function presentLine(
  row: LineRow,
  rules: ReadonlyMap<number, CommissionRule>,
  contest: ContestRow | undefined,
  reader: string | null,
): EarningLine {
  return {
    id: row.id,
    seq: row.seq,
    admin_id: row.admin_id,
    admin_codename: row.codename,
    at: row.at.toISOString(),
    kind: row.kind,
    source: row.source,
    amount: toUsd(row.amount_cents),
    base_amount: toUsd(row.base_cents),
    rate: row.rate_hundredths === null ? null : row.rate_hundredths / 100,
    rule_version: row.rule_version,
    purchase_id: row.purchase_id,
    message_id: row.message_id,
    shift_id: row.shift_id,
    note: row.note,
    previous_hash: row.previous_hash,
    hash: row.hash,
    arithmetic: arithmeticOf(row, row.paid_cents),
    shared_by: row.shared_by,
    seconds: row.seconds,
    message:
      row.content === null
        ? null
        : {
            conversation_id: row.conversation_id,
            content: row.content,
            sent_at: row.sent_at.toISOString(),
          },
    offer:
      row.paid_cents === null
        ? null
        : { product_id: row.product_id, title: row.title, price: toUsd(row.paid_cents) },
    payment:
      row.paid_cents === null
        ? null
        : {
            reference: row.payment_reference,
            amount: toUsd(row.paid_cents),
            purchased_at: row.purchased_at.toISOString(),
            refunded_at: row.refunded_at?.toISOString() ?? null,
          },
    rule: (row.rule_version !== null && rules.get(row.rule_version)) || null,
    contest: contest === undefined ? null : presentContest(contest, reader),
  };
}

const SUM = (column: string, kind: string) =>
  `coalesce(sum(${column}) filter (where kind = '${kind}'), 0)::bigint`;

/** Returns the sums of all lines that match. */
export async function sumLines(db: Database, query: EarningsQuery): Promise<EarningTotals> {
  const values: unknown[] = [];
  const undecided = [query.adminId === null ? 'true' : 'false'];
  if (query.from !== null) undecided.push(`p.purchased_at >= $${values.push(query.from)}`);
  if (query.to !== null) undecided.push(`p.purchased_at < $${values.push(query.to)}`);
  const [row] = await db.runPlanned<Record<keyof EarningTotals, number>>(
    `select coalesce(sum(amount_cents), 0)::bigint as amount, coalesce(sum(base_cents), 0)::bigint as base_amount,
      coalesce(sum(seconds), 0)::bigint as seconds, ${SUM('amount_cents', 'sale')} as sales,
      ${SUM('amount_cents', 'refund')} as refunds, ${SUM('amount_cents', 'hours')} as hours,
      ${SUM('amount_cents', 'adjustment')} as adjustments,
      (select coalesce(sum(p.amount_cents), 0)::bigint from earning_queue q join purchases p on p.id = q.fact_id
        where q.source = 'sale' and ${UNDECIDED} and p.refunded_at is null and ${undecided.join(' and ')}) as undecided
    from earning_lines l where ${conditionsOf(query, values).join(' and ')}`,
    values,
  );
  if (row === undefined) throw new Error('a sum has one row');
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
