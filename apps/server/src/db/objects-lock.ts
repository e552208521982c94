import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import type { Tables } from './tables.ts';

/** How long a backup waits for the lock. Transactions that decide whether to delete an object hold it far more briefly. */
const WAIT = '30s';

/**
 * Prevents the deletion of stored objects until the connection ends. Garbage is deleted afterwards.
 * @throws Error if another connection holds the lock
 */
export async function keepObjects(client: pg.Client): Promise<void> {
  await client.query(`set lock_timeout = '${WAIT}'`);
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.objects]);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '55P03') {
      throw new Error('another backup of this installation is already running', { cause: error });
    }
    throw error;
  }
  await client.query('reset lock_timeout');
}

/**
 * Returns whether garbage may be deleted: false while a backup runs. A backup that starts after this transaction takes a later
 * snapshot, in which no row references the garbage.
 */
export async function mayDeleteObjects(tx: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.objects}) as free`.execute(tx);
  return rows[0]?.free ?? false;
}
