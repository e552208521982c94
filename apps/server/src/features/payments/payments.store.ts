import type { Database, Statement } from '../../db/database.ts';

const checkoutUrlStatement: Statement = {
  name: 'payments_checkout_url',
  text: 'select checkout_url from fan_sessions where id = $1',
};

/** The platform's page to pay on, as it named it for a session; null where it named none. */
export async function findCheckoutUrl(db: Database, sessionId: string): Promise<string | null> {
  const [row] = await db.run<{ checkout_url: string | null }>(checkoutUrlStatement, [sessionId]);
  return row?.checkout_url ?? null;
}

const noteReturnedStatement: Statement = {
  name: 'payments_note_returned',
  text: `insert into returned_payments (payment_reference, returned_at) values ($1, $2)
    on conflict (payment_reference) do nothing`,
};

/** Notes that a payment was given back. @param returnedAt as the API writes instants */
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

/** When a payment was given back; null: it was not. */
export async function findReturned(db: Database, paymentReference: string): Promise<Date | null> {
  const [row] = await db.run<{ returned_at: Date }>(returnedStatement, [paymentReference]);
  return row?.returned_at ?? null;
}
