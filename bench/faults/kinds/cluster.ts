import { setTimeout as sleep } from 'node:timers/promises';
import { type Host, NODES, REDIS } from '../cluster.ts';
import { onCluster } from '../on-cluster.ts';

/** Maximum time from the last fault until every client shows the stored state. Milliseconds. */
const EQUAL_WITHIN = 10_000;
/** Time until a killed node is restarted, as by a service manager, and until a cut node is reconnected. Milliseconds. */
const DEAD_FOR = 1_000;
const CUT_FOR = 5_000;

/** Strikes the cluster of `deploy/cluster.sh` in four ways, at even intervals, while clients connect through nginx. */
export const cluster = onCluster({
  name: 'cluster',
  title:
    'three nodes behind nginx: one is killed, one cut off for 5 s; Redis and the writing PostgreSQL restart',
  equalWithin: EQUAL_WITHIN,
  async run({ act, hostsThatAre }, { seconds, ledger, log }, signal, random) {
    const killed = random.pick(NODES);
    const cut = random.pick(NODES.filter((node) => node !== killed));
    const restart = async (hosts: readonly Host[]) => {
      await Promise.all(hosts.map((host) => act('stop', host)));
      await Promise.all(hosts.map((host) => act('start', host)));
    };
    const strikes = [
      [
        `kill -9 of ${killed}`,
        async () => {
          await act('kill', killed);
          await sleep(DEAD_FOR);
          await act('start', killed);
        },
      ],
      [
        `${cut} cut off`,
        async () => {
          await act('cut', cut);
          await sleep(CUT_FOR);
          await act('mend', cut);
        },
      ],
      ['Redis restarted', () => restart(REDIS)],
      ['the writing PostgreSQL restarted', async () => restart(await hostsThatAre('primary'))],
    ] as const;
    const figures: Record<string, string> = {};
    const began = performance.now();
    for (const [index, [what, strike]] of strikes.entries()) {
      const due = began + ((index + 1) * seconds * 1000) / strikes.length;
      await sleep(Math.max(0, due - performance.now()));
      if (signal.aborted) break;
      log(what);
      const [struck, before] = [performance.now(), ledger.count('confirmed')];
      await strike();
      const took = ((performance.now() - struck) / 1000).toFixed(1);
      figures[what] = `${took} s, ${ledger.count('confirmed') - before} confirmed meanwhile`;
    }
    return { figures };
  },
});
