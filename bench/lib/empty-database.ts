import pg from 'pg';
import { openDatabase } from '../../apps/server/src/db/database.ts';
import { migrate } from '../../apps/server/src/db/migrate.ts';
import { addAdmin } from '../../apps/server/src/team/admins/server-admins.ts';
import { ensureCreator } from '../../apps/server/src/team/creator/creator.store.ts';

/** The staff: email address and role. */
export type Staff = readonly (readonly [string, Parameters<typeof addAdmin>[2]])[];

/** Returns a function that logs a finished step with the seconds since the start. */
export function stopwatch(log: (line: string) => void): (what: string) => void {
  const started = performance.now();
  return (what) =>
    log(`  ${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${what}`);
}

/**
 * Migrates an empty database and adds a creator and the staff. Returns a connection with a fixed random seed, tuned for speed
 * rather than durability.
 * @throws Error when the database already holds conversations
 */
export async function openEmpty(
  url: string,
  staff: Staff,
  log: (line: string) => void,
): Promise<pg.Client> {
  const database = openDatabase({ connectionString: url }, (error) => log(error.message));
  await migrate(database.kysely);
  await ensureCreator(database, 'The Creator');
  for (const [email, role] of staff) await addAdmin(database, email, role);
  await database.close();

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select 1 from conversations limit 1');
  if (rows.length > 0) {
    await client.end();
    throw new Error('this database has conversations already');
  }
  await client.query(
    `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '128MB'; select setseed(0.42)`,
  );
  return client;
}
