import { openDatabase } from '../../apps/server/src/db/database.ts';
import { verifyLedger } from '../../apps/server/src/selling/earnings/verify-ledger.ts';
import { onDatabase } from '../../apps/server/test/on-database.ts';
import { until } from '../../apps/server/test/until.ts';
import type { Installation } from '../lib/installation.ts';
import { query } from '../lib/query.ts';
import { request } from './calls.ts';

/** The number of sales that are not booked yet when a period is closed. */
const BACKLOG = 5_000;

/**
 * Closes a period. Then starts to close the next one, kills the server while it stores the pay slips, and closes that period
 * after a restart.
 * @returns the duration of both closings, in milliseconds
 * @throws Error if the ledger is not intact after a step
 */
export async function closePeriods(
  server: Installation,
  url: string,
  token: string,
): Promise<{ first: number; afterKill: number }> {
  const { url: address } = server;
  const nextId = async () => {
    const list = { name: '', path: '/api/earnings/periods', token };
    const { data } = (await request(address, list)) as { data: Period[] };
    const id = data.find(({ can_close }) => can_close)?.id;
    if (id === undefined) throw new Error('no period can be closed: delete the folder');
    return id;
  };
  const close = async (id: string) => {
    const started = performance.now();
    await request(address, {
      name: '',
      path: `/api/earnings/periods/${id}/close`,
      token,
      body: {},
    });
    return performance.now() - started;
  };
  const isClosed = async (id: string) =>
    (await query(url, 'select from earning_periods where id = $1', [id])).length > 0;

  let id = await nextId();
  await sellUnbooked(url);
  const first = await close(id);
  if (!(await isClosed(id))) throw new Error(`${id} is not closed`);
  await requireIntact(url);

  id = await nextId();
  await sellUnbooked(url);
  await onDatabase({ connectionString: url }, async (client) => {
    await client.query('begin; lock table earning_payslips in share mode');
    const interrupted = close(id).then(
      () => true,
      () => false,
    );
    await until('the closing stores pay slips', async () => {
      const { rows } = await client.query(
        `select from pg_locks where relation = 'earning_payslips'::regclass and not granted`,
      );
      return rows.length > 0;
    });
    await server.kill();
    if (await interrupted) throw new Error('the closing was not interrupted');
    await client.query('rollback');
  });
  if (await isClosed(id)) throw new Error(`${id} was closed by a killed server`);
  await requireIntact(url);
  await server.start();
  const afterKill = await close(id);
  if (!(await isClosed(id))) throw new Error(`${id} is not closed after a restart`);
  await requireIntact(url);
  return { first, afterKill };
}

interface Period {
  readonly id: string;
  readonly can_close: boolean;
}

const sellUnbooked = (url: string) =>
  query(
    url,
    `insert into purchases (attachment_id, message_id, conversation_id, fan_id, product_id, admin_id, amount_cents, payment_reference, payload_hash, purchased_at)
    select distinct on (fan_id, product_id) gen_random_uuid(), message_id, conversation_id, fan_id, product_id, admin_id, price_cents,
      gen_random_uuid(), '', date_trunc('milliseconds', now())
    from (select * from product_sends order by sent_at desc limit ${10 * BACKLOG}) s
    where not exists (select from owned_products o where o.fan_id = s.fan_id and o.product_id = s.product_id) limit ${BACKLOG}`,
  );

/** Walks the whole ledger, as `npm run ledger -- verify` does. @returns the number of lines */
export async function requireIntact(url: string): Promise<number> {
  const db = openDatabase({ connectionString: url }, () => undefined);
  try {
    const { lines, broken } = await verifyLedger(db);
    if (broken !== null) throw new Error(`${broken.what} was tampered with: ${broken.reason}`);
    return lines;
  } finally {
    await db.close();
  }
}
