import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../apps/server/test/until.ts';
import { type Installation, isServing } from '../../lib/installation.ts';
import type { Fault } from '../fault.ts';
import { midRush } from '../rush.ts';

/** Time limit for the server's pool to work again once the database is back. Milliseconds. */
const RECOVERS_WITHIN = 5_000;
/** Time limit for each wait, after which the run fails. Milliseconds. */
const PATIENCE = 60_000;
/** The number of database kills is the run's seconds divided by this. */
const SECONDS_EACH = 4;
/** How many messages are sent at once around each kill, and the range of pauses before a kill, in milliseconds. */
const RUSH = 24;
const LIVES_FOR = [300, 1_200] as const;

export const killDatabase: Fault = {
  name: 'kill-database',
  title: 'PostgreSQL is killed, alone and together with the server; in between the server',
  async run(world, signal, random) {
    const { installation, ledger, seconds, log, late } = world;
    const { kill } = installation.database;
    if (kill === null) throw new Error('the bench can only kill a database that it started');
    const rounds = Math.max(2, Math.round(seconds / SECONDS_EACH));
    let [longest, servers, databases] = [0, 0, 0];
    for (; databases < rounds && !signal.aborted; databases++) {
      await sleep(random.between(...LIVES_FOR));
      await ledger.yieldToLoop();
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
      log(`the server was back ${ms.toFixed(0)} ms after its database`);
      if (ms > RECOVERS_WITHIN) late(`the server took ${ms.toFixed(0)} ms to recover`);
      await sleep(random.between(...LIVES_FOR));
      await ledger.yieldToLoop();
      await installation.kill();
      servers++;
      await installation.start();
    }
    const figures = {
      'database kills': databases,
      'server kills': servers,
      'server back within': `${longest.toFixed(0)} ms`,
    };
    return { figures };
  },
};

/** Waits for the database and the server. @returns milliseconds from the database's recovery until the server's */
async function recovery({ database, url }: Installation): Promise<number> {
  const answers = async () => {
    const client = await database.connect();
    try {
      return (await client.query('select 1')).rowCount === 1;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  await until('the database is back', () => answers().catch(() => false), PATIENCE);
  const back = performance.now();
  // The health endpoint queries the database.
  await until('the server is back', () => isServing(url), PATIENCE);
  return performance.now() - back;
}
