import { createHash } from 'node:crypto';
import type { WebhookData } from '@stagedoor/contract/platform/webhooks';
import { toUsd } from '@stagedoor/contract/selling/cents';
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../db/advisory-locks.ts';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';

export type Line = Row<'earning_lines'>;
/** A line that is not in the chain yet. */
export type NewLine = Omit<Line, 'seq' | 'id' | 'previous_hash' | 'hash'>;

/** The hash before the first line. */
export const START = '0'.repeat(64);

/** Returns a line's hash: SHA-256 of all its other fields, in this order, as JSON. */
export function hashOf(line: Omit<Line, 'hash'>): string {
  const fields = [
    line.seq,
    line.id,
    line.admin_id,
    line.at.toISOString(),
    line.kind,
    line.source,
    line.fact_id,
    line.amount_cents,
    line.base_cents,
    line.rate_hundredths,
    line.rule_version,
    line.purchase_id,
    line.message_id,
    line.shift_id,
    line.adjusts,
    line.shared_by,
    line.seconds,
    line.note,
    line.previous_hash,
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** The state of the ledger that a transaction adds to. */
export interface Ledger {
  /** The database's clock. */
  readonly now: Date;
  /** The end of the last closed period; null if none was closed. */
  readonly closedUpTo: Date | null;
  /** The admins to notify because their earnings of a closed period were adjusted. */
  readonly adjusted: Set<string>;
}

/** Changes the ledger in a transaction that has locked it, and notifies open consoles. */
export type ChangeLedger = <T>(work: (tx: Tx, ledger: Ledger) => Promise<T>) => Promise<T>;

/** Locks the ledger until the transaction ends. Everything that adds lines, rules, answers or periods takes this lock first. */
export async function lockLedger(tx: Tx): Promise<Ledger> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.earnings})`.execute(tx);
  const { rows } = await sql<Omit<Ledger, 'adjusted'>>`
    select date_trunc('milliseconds', clock_timestamp()) as now,
      (select ends_at from earning_periods order by ends_at desc limit 1) as "closedUpTo"`.execute(
    tx,
  );
  const [ledger] = rows;
  if (ledger === undefined) throw new Error('no row returned');
  return { ...ledger, adjusted: new Set() };
}

/** Records an admin's change to the ledger in the audit log. */
export const audit = (tx: Tx, adminId: string, action: string, targetId: string, details: object) =>
  writeAudit(tx, { adminId, action, targetId, details: { ...details } });

/** Returns the last line's number and hash. */
export async function headOf(tx: Tx): Promise<{ seq: number; hash: string }> {
  return tx
    .selectFrom('earning_heads')
    .select(['length as seq', 'hash'])
    .where('chain', '=', 'lines')
    .executeTakeFirstOrThrow();
}

/** Appends lines to the ledger, which the caller has locked. @returns the stored lines */
export async function appendLines(tx: Tx, lines: readonly NewLine[]): Promise<Line[]> {
  if (lines.length === 0) return [];
  let { seq, hash } = await headOf(tx);
  const chained = lines.map((line) => {
    seq += 1;
    const placed = { ...line, seq, id: newId(), previous_hash: hash };
    hash = hashOf(placed);
    return { ...placed, hash };
  });
  await sql`insert into earning_lines
    select * from jsonb_populate_recordset(null::earning_lines, ${JSON.stringify(chained)}::jsonb)`.execute(
    tx,
  );
  await tx
    .updateTable('earning_heads')
    .set({ length: seq, hash })
    .where('chain', '=', 'lines')
    .execute();
  for (const { kind, id } of chained)
    if (kind === 'adjustment')
      await queueWebhook(tx, {
        type: 'earning.adjusted',
        conversationId: null,
        ref: { line_id: id },
      });
  return chained;
}

/** Returns an adjustment as webhooks show it. */
export async function findAdjustment(
  db: Database,
  id: string,
): Promise<WebhookData<'earning.adjusted'> | null> {
  const line = await db.kysely
    .selectFrom('earning_lines')
    .select(['id', 'admin_id', 'at', 'amount_cents', 'note'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (line === undefined) return null;
  const { amount_cents, at, ...shown } = line;
  return { ...shown, at: at.toISOString(), amount: toUsd(amount_cents) };
}
