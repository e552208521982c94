import { sql } from 'kysely';
import type { Database, Statement } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';

const checkoutUrlStatement: Statement = {
  name: 'payments_checkout_url',
  text: 'select checkout_url from fan_sessions where id = $1',
};

/** Returns the platform's payment page for a session; null if the platform gave none. */
export async function findCheckoutUrl(db: Database, sessionId: string): Promise<string | null> {
  const [row] = await db.run<Row<'fan_sessions', 'checkout_url'>>(checkoutUrlStatement, [
    sessionId,
  ]);
  return row?.checkout_url ?? null;
}

const noteCheckoutStatement: Statement = {
  name: 'payments_note_checkout',
  text: `insert into open_checkouts (session_id, fan_id, product_id, attachment_id) values ($1, $2, $3, $4)
    on conflict (session_id) do nothing`,
};

/** Stores an open checkout, in which a fan can pay for an offer. */
export async function noteCheckout(
  db: Database,
  sessionId: string,
  fanId: string,
  { product_id, attachment_id }: { readonly product_id: string; readonly attachment_id: string },
): Promise<void> {
  await db.run(noteCheckoutStatement, [sessionId, fanId, product_id, attachment_id]);
}

const needlessStatement: Statement = {
  name: 'payments_needless_checkouts',
  text: `select c.session_id from open_checkouts c
    where exists (select from owned_products o where o.fan_id = c.fan_id and o.product_id = c.product_id)
      or c.attachment_id is not null and not exists (select from product_sends s where s.attachment_id = c.attachment_id)
    limit 100`,
};

/** Returns the open checkouts for products that the fan already owns, and for offers that were unsent. */
export async function findNeedlessCheckouts(db: Database): Promise<string[]> {
  const rows = await db.run<Row<'open_checkouts', 'session_id'>>(needlessStatement, []);
  return rows.map(({ session_id }) => session_id);
}

const deleteStatement: Statement = {
  name: 'payments_forget_checkouts',
  text: `delete from open_checkouts where session_id = $1 or created_at < now() - interval '1 day'`,
};

export async function deleteCheckout(db: Database, sessionId: string): Promise<void> {
  await db.run(deleteStatement, [sessionId]);
}

/** Stores that a payment that bought nothing is to be refunded. @returns false if it was stored before */
export async function noteGiveBack(tx: Tx, paymentIntent: string): Promise<boolean> {
  const { rows } = await sql`insert into give_backs (payment_intent) values (${paymentIntent})
    on conflict do nothing returning payment_intent`.execute(tx);
  return rows.length > 0;
}

const refusalsStatement: Statement = {
  name: 'payments_refusals',
  text: 'select refusals from give_backs where payment_intent = $1',
};

/** Returns how often Stripe definitely refused to refund a payment. */
export async function countRefusals(db: Database, paymentIntent: string): Promise<number> {
  const [row] = await db.run<Row<'give_backs', 'refusals'>>(refusalsStatement, [paymentIntent]);
  return row?.refusals ?? 0;
}

const noteRefusalStatement: Statement = {
  name: 'payments_note_refusal',
  text: `insert into give_backs (payment_intent, refusals) values ($1, 1)
    on conflict (payment_intent) do update set refusals = give_backs.refusals + 1`,
};

/** Counts a definite refusal. */
export async function noteRefusal(db: Database, paymentIntent: string): Promise<void> {
  await db.run(noteRefusalStatement, [paymentIntent]);
}

const noteReturnedStatement: Statement = {
  name: 'payments_note_returned',
  text: `insert into returned_payments (payment_reference, returned_at) values ($1, $2)
    on conflict (payment_reference) do nothing`,
};

/** Stores that a payment was refunded. @param returnedAt in the API's instant format */
export async function noteReturned(
  db: Database,
  paymentReference: string,
  returnedAt: string,
): Promise<void> {
  await db.run(noteReturnedStatement, [paymentReference, returnedAt]);
}

const returnedStatement: Statement = {
  name: 'payments_returned',
  text: 'select returned_at from returned_payments where payment_reference = $1',
};

/** Returns when a payment was refunded; null: it was not. */
export async function findReturned(db: Database, paymentReference: string): Promise<Date | null> {
  const [row] = await db.run<Row<'returned_payments', 'returned_at'>>(returnedStatement, [
    paymentReference,
  ]);
  return row?.returned_at ?? null;
}
