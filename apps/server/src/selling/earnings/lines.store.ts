import { toUsd } from '@stagedoor/contract/selling/cents';
import type { BookedLine, CommissionRule } from '@stagedoor/contract/selling/earnings';
import type { Database } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';
import { arithmeticOf } from './arithmetic.ts';
import type { Line } from './ledger.store.ts';
import { presentRule, readRuleViews } from './rules.store.ts';

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

/**
 * Returns lines with the data that explains them, newest first. `contestable` is the id of the original line, which contests
 * refer to.
 * @param which SQL: the rows of `earning_lines` to read
 */
export async function readLines(
  db: Database,
  which: string,
  values: readonly unknown[],
): Promise<{ contestable: string; line: BookedLine }[]> {
  const rows = await db.runPlanned<LineRow>(
    `select l.*, a.codename, p.purchased_at, p.refunded_at, p.payment_reference, p.product_id,
      p.amount_cents as paid_cents, products.title, m.content, m.conversation_id, m.created_at as sent_at
    from (${which}) l
      join admins a on a.id = l.admin_id
      left join purchases p on p.id = l.purchase_id
      left join products on products.id = p.product_id
      left join messages m on m.id = l.message_id
    order by l.at desc, l.seq desc`,
    values,
  );
  if (rows.length === 0) return [];
  const rules = new Map(
    (await readRuleViews(db.kysely)).map((rule) => [rule.version, presentRule(rule)]),
  );
  return rows.map((row) => ({
    contestable: row.adjusts ?? row.id,
    line: presentLine(isMoved(row) ? { ...row, ...NO_RULE } : row, rules),
  }));
}

/** Returns whether a line's amount was moved by a contest: it has neither net sales nor time. */
const isMoved = ({ base_cents, seconds }: Line) => base_cents === 0 && seconds === null;
/** If a moved line is stored with a rule, it is the contested line's, which may be a teammate's. */
const NO_RULE = { rate_hundredths: null, rule_version: null, shift_id: null };

function presentLine(row: LineRow, rules: ReadonlyMap<number, CommissionRule>): BookedLine {
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
  };
}
