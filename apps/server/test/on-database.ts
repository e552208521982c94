import pg from 'pg';
import type { Backend } from './backend.ts';
import { until } from './until.ts';

/** Opens a separate connection for the duration of `use`. */
export async function onDatabase<T>(
  config: pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  // If the database goes away, the next query in `use` fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs `work` while another connection holds a lock. @param lock the statement that takes the lock */
export function whileLocked<T>(
  databaseUrl: string,
  lock: string,
  work: () => Promise<T>,
): Promise<T> {
  return onDatabase({ connectionString: databaseUrl }, async (client) => {
    await client.query('begin');
    await client.query(lock);
    return work();
  });
}

/**
 * Resolves once exactly `count` of the database's connections wait for locks.
 * @param kind a lock's `wait_event`; all kinds by default
 */
export async function untilWaiting(
  { db }: Pick<Backend, 'db'>,
  count: number,
  kind = '%',
): Promise<void> {
  await until(`${count} wait for locks`, async () => {
    const rows = await db.runPlanned(
      `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event like $1`,
      [kind],
    );
    return rows.length === count;
  });
}
