import { DOUBLE_PAYMENTS_LISTED, type DoublePayment } from '@stagedoor/contract/selling/analytics';
import { sql } from 'kysely';
import { type Database, isUuid, type Statement } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';
import { readSales } from '../analytics/sales.store.ts';
import { stripePaymentOf } from './payments.ts';

const requestedStatement: Statement = {
  name: 'payments_refunds_requested',
  text: 'select purchase_id, refund_requested_at as at from double_payments where refund_requested_at is not null',
};

/** Returns the newest double payments that are not refunded. */
export async function listDoublePayments(db: Database): Promise<DoublePayment[]> {
  const sales = await readSales(
    db,
    `select p.* from double_payments d join purchases p on p.id = d.purchase_id
      order by p.purchased_at desc, p.id desc limit $1`,
    [DOUBLE_PAYMENTS_LISTED],
  );
  const requested = await db.run<{ purchase_id: string; at: Date }>(requestedStatement, []);
  const requestedAt = new Map(requested.map(({ purchase_id, at }) => [purchase_id, at]));
  return sales.map((sale) => ({
    ...sale,
    pays_back: stripePaymentOf(sale.payment_reference) === null ? 'platform' : 'stripe',
    refund_requested_at: requestedAt.get(sale.id)?.toISOString() ?? null,
  }));
}

const findStatement: Statement = {
  name: 'payments_double_payment',
  text: `select p.payment_reference, p.attachment_id from double_payments d join purchases p on p.id = d.purchase_id
    where p.id = $1`,
};

/** Finds the unrefunded double payment with an id, or null. */
export async function findDoublePayment(
  db: Database,
  id: string,
): Promise<Row<'purchases', 'payment_reference' | 'attachment_id'> | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.run<Row<'purchases', 'payment_reference' | 'attachment_id'>>(
    findStatement,
    [id],
  );
  return row ?? null;
}

/** Stores that Stripe was asked to refund a double payment. @returns false if it was asked before */
export async function noteRefundRequest(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql`update double_payments set refund_requested_at = now()
    where purchase_id = ${id} and refund_requested_at is null returning purchase_id`.execute(tx);
  return rows.length > 0;
}

const withdrawStatement: Statement = {
  name: 'payments_withdraw_refund_request',
  text: `update double_payments d set refund_requested_at = null from purchases p
    where p.id = d.purchase_id and p.payment_reference = $1`,
};

/** Lets a double payment's refund be requested again after it failed. */
export async function withdrawRefundRequest(db: Database, reference: string): Promise<void> {
  await db.run(withdrawStatement, [reference]);
}
