import type pg from 'pg';
import { pause } from '../client.ts';
import type { Fault } from '../fault.ts';
import type { Installation } from '../installation.ts';
import { midRush } from '../rush.ts';

/** Time limit for the server's pool to work again once the database is back. Milliseconds. */
const RECOVERS_WITHIN = 5_000;
/** The run is given up after this. Milliseconds. */
const PATIENCE = 60_000;
const LOOK_MS = 20;
/** The database is killed once per this many seconds of the run. */
const SECONDS_EACH = 4;
/** How many messages are sent at once around each kill. */
const RUSH = 24;
const LIVES_FOR = [300, 1_200] as const;

export const killDatabase: Fault = {
  name: 'kill-database',
  title: 'kill -9 PostgreSQL, by itself and together with the server, and the server between',
  async run(world, signal, random) {
    const { installation, ledger, seconds, log } = world;
    const { kill } = installation.database;
    if (kill === null) throw new Error('this database is not ours to kill');
    const rounds = Math.max(2, Math.round(seconds / SECONDS_EACH));
    const broken: string[] = [];
    let [longest, servers, databases] = [0, 0, 0];
    for (; databases < rounds && !signal.aborted; databases++) {
      await pause(random.between(...LIVES_FOR));
      await ledger.breathe();
      await midRush(world, random, RUSH);
      if (databases % 2 === 1) {
        await Promise.all([kill(), installation.kill()]);
        servers++;
        await installation.start();
        continue;
      }
      await kill();
      const ms = await recovery(installation);
      longest = Math.max(longest, ms);
      log(`the pool was back ${ms.toFixed(0)} ms after its database`);
      if (ms > RECOVERS_WITHIN) broken.push(`the pool took ${ms.toFixed(0)} ms to come back`);
      await pause(random.between(...LIVES_FOR));
      await ledger.breathe();
      await installation.kill();
      servers++;
      await installation.start();
    }
    const figures = {
      'database kills': databases,
      'server kills': servers,
      'pool back within': `${longest.toFixed(0)} ms`,
    };
    return { figures, broken };
  },
};

/** Waits for the database and the server. @returns milliseconds from the database's recovery until the server's */
async function recovery({ database, url }: Installation): Promise<number> {
  await until('the database is back', async () => {
    let client: pg.Client | null = null;
    try {
      client = await database.connect();
      return (await client.query('select 1')).rowCount === 1;
    } catch {
      return false;
    } finally {
      await client?.end().catch(() => undefined);
    }
  });
  const back = performance.now();
  await until('the server is back', async () => {
    // The health endpoint queries the database.
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(PATIENCE) });
    await response.arrayBuffer();
    return response.ok;
  });
  return performance.now() - back;
}

async function until(what: string, ask: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE;
  while (!(await ask().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`not in ${PATIENCE} ms: ${what}`);
    await pause(LOOK_MS);
  }
}
