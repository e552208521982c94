import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { midRush } from '../rush.ts';

/** How long the server runs before the next kill. Milliseconds. */
const LIVES_FOR = [250, 750] as const;

/** How many messages are sent at once around each kill. */
const RUSH = 24;
/** The minimum number of kills, even on a slow machine, is the run's seconds divided by this. */
const SECONDS_EACH = 4;

export const killServer: Fault = {
  name: 'kill-server',
  title: 'the server is killed each time it has served for 0.25 to 0.75 s',
  async run(world, signal, random) {
    const { installation, ledger, seconds, log } = world;
    const until = Date.now() + seconds * 1000;
    let [kills, longest] = [0, 0];
    while ((Date.now() < until || kills < seconds / SECONDS_EACH) && !signal.aborted) {
      await sleep(random.between(...LIVES_FOR));
      await ledger.yieldToLoop();
      await midRush(world, random, RUSH);
      await installation.kill();
      const killed = performance.now();
      await installation.start();
      longest = Math.max(longest, performance.now() - killed);
      log(`${++kills} kills`);
    }
    return { figures: { kills, 'away for up to': `${longest.toFixed(0)} ms` } };
  },
};
