import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@stagedoor/sample-data/random';
import { until } from '../../../apps/server/test/until.ts';
import { type Cluster, DATABASES, type DatabaseHost, ETCD, type Role } from '../cluster.ts';
import type { Fault } from '../fault.ts';
import type { Ledger } from '../ledger.ts';
import { onCluster } from '../on-cluster.ts';

/** Time limit for each wait, after which the run fails. Milliseconds. */
const PATIENCE = 600_000;
/** How long a killed writer stays down if no other server takes over. Milliseconds. */
const GIVE_UP_ON_OTHERS = 60_000;
/** How long one or all etcd servers are down. Longer than Patroni's `ttl`, so that a wrong failover would show. Milliseconds. */
const ONE_ETCD_LOST_FOR = 12_000;
const ALL_ETCD_LOST_FOR = 30_000;
const POLL_MS = 200;

type Figures = Record<string, string>;
type Strike = (
  cluster: Cluster,
  add: (broken: string) => void,
  random: Random,
) => Promise<Figures | undefined>;

interface Failover {
  /** The failures, in turn. Each strike also repairs its failure. */
  readonly strikes: Readonly<Record<string, Strike>>;
  /** The number of rounds is the run's seconds divided by this. Each round runs every strike once. */
  readonly secondsEach: number;
  /** Limits for the time without a confirmed send: the median of all strikes, and the maximum. Seconds. */
  readonly median?: number;
  readonly worst?: number;
  /** Limit for the duration of the slowest send. Seconds. */
  readonly worstSend?: number;
  readonly mayFail?: boolean;
}

/** Returns a fault that breaks the database of a cluster, waits until everything has recovered, and measures the pauses. */
function failover(name: string, title: string, options: Failover): Fault {
  const { strikes, secondsEach, mayFail = false } = options;
  return onCluster({
    name,
    title,
    mayFail,
    async run(cluster, { ledger, seconds, log, late }, signal, random) {
      const rounds = Math.max(1, Math.round(seconds / secondsEach));
      const figures: Record<string, number | string> = {};
      const broken: string[] = [];
      const pauses: number[] = [];
      const sends: number[] = [];
      await recovered(cluster, ledger);
      for (let round = 0; round < rounds; round++) {
        for (const [what, strike] of Object.entries(strikes)) {
          if (signal.aborted) break;
          const struck = performance.now();
          const found = await strike(cluster, (line) => broken.push(`${what}: ${line}`), random);
          await recovered(cluster, ledger);
          pauses.push(longestPause(ledger, struck));
          sends.push(longestSend(ledger, struck));
          const each = { pause: inSeconds(pauses.at(-1)), ...found };
          const text = Object.entries(each).map(([key, value]) => `${key} ${value}`);
          log(`${pauses.length}: ${what}: ${text.join(', ')}`);
          if (rounds === 1) figures[what] = text.join(', ');
        }
      }
      pauses.sort((a, b) => a - b);
      const median = pauses[Math.floor(pauses.length / 2)];
      const worst = pauses.at(-1);
      const worstSend = Math.max(...sends);
      const limit = (title: string, ms = 0, most = Number.POSITIVE_INFINITY) => {
        if (ms > most * 1000) late(`${title} ${inSeconds(ms)} instead of ${most} s`);
      };
      limit('median pause', median, options.median);
      limit('worst pause', worst, options.worst);
      limit('slowest send', worstSend, options.worstSend);
      return {
        figures: {
          ...figures,
          strikes: pauses.length,
          'median pause': inSeconds(median),
          'worst pause': inSeconds(worst),
          'slowest send': inSeconds(worstSend),
        },
        broken,
      };
    },
  });
}

const inSeconds = (ms = 0) => `${(ms / 1000).toFixed(1)} s`;

/** Waits until all servers are in use, confirmed commits are on two of them, and sends are confirmed. */
async function recovered({ hostsThatAre }: Cluster, ledger: Ledger): Promise<void> {
  await state('the database is whole', async () => {
    const [writers, synchronous, all] = await Promise.all([
      hostsThatAre('primary'),
      hostsThatAre('synchronous'),
      hostsThatAre(),
    ]);
    return writers.length === 1 && synchronous.length === 1 && all.length === DATABASES.length;
  });
  const since = performance.now();
  await state('sends are confirmed', async () => {
    const newest = ledger.sends.findLast(({ outcome }) => outcome === 'confirmed');
    return (newest?.startedAt ?? 0) > since;
  });
  await ledger.settle();
}

async function state(what: string, holds: () => Promise<boolean>, within = PATIENCE) {
  await until(
    what,
    async () => {
      const does = await holds();
      if (!does) await sleep(POLL_MS);
      return does;
    },
    within,
  );
}

/** Returns the longest time without a confirmation after `since`. Milliseconds. */
function longestPause({ sends }: Ledger, since: number): number {
  const times = sends.flatMap(({ outcome, settledAt }) =>
    outcome === 'confirmed' && settledAt !== null && settledAt > since ? [settledAt] : [],
  );
  times.sort((a, b) => a - b);
  return Math.max(...times.map((time, index) => time - (times[index - 1] ?? since)));
}

/** Returns the longest duration of a send that was pending at `since` or started later. Milliseconds. */
const longestSend = ({ sends }: Ledger, since: number): number =>
  Math.max(
    ...sends.map(({ startedAt, settledAt }) =>
      settledAt !== null && settledAt > since ? settledAt - startedAt : 0,
    ),
  );

/** Waits until a server has this role, and returns its host. On a busy machine, Patroni may answer late. */
const the = ({ hostsThatAre }: Cluster, role: Role): Promise<DatabaseHost> =>
  until(`a server is ${role}`, async () => (await hostsThatAre(role))[0], PATIENCE);

const isSucceeded = async ({ hostsThatAre }: Cluster, writer: DatabaseHost) =>
  (await hostsThatAre('primary')).some((host) => host !== writer);

const killWriter: Strike = async (cluster) => {
  const writer = await the(cluster, 'primary');
  await cluster.act('kill', writer);
  // On a busy machine, the replica may be unable to take over. Then only the killed server can be the writer.
  await state('another takes over', () => isSucceeded(cluster, writer), GIVE_UP_ON_OTHERS).catch(
    () => undefined,
  );
  await cluster.act('start', writer);
  return undefined;
};

const cutWriter: Strike = async (cluster) => {
  const writer = await the(cluster, 'primary');
  const others = DATABASES.filter((host) => host !== writer);
  const began = performance.now();
  await cluster.act('cut', writer, ...ETCD, ...others);
  await state(
    'it demotes itself',
    async () => !(await cluster.hostsThatAre('primary')).includes(writer),
  );
  const demoted = inSeconds(performance.now() - began);
  await state('another takes over', () => isSucceeded(cluster, writer));
  await cluster.act('mend', writer);
  return { 'demoted itself after': demoted };
};

const killReplica =
  (role: Role): Strike =>
  async (cluster, add) => {
    const writer = await the(cluster, 'primary');
    const host = await the(cluster, role);
    await cluster.act('kill', host);
    await state('another is synchronous', async () =>
      (await cluster.hostsThatAre('synchronous')).some((other) => other !== host),
    );
    await cluster.act('start', host);
    if ((await the(cluster, 'primary')) !== writer) add('the writer changed');
    return undefined;
  };

const cutReplica: Strike = async (cluster) => {
  const host = await the(cluster, 'synchronous');
  await cluster.act('cut', host);
  await state('another is synchronous', async () =>
    (await cluster.hostsThatAre('synchronous')).some((other) => other !== host),
  );
  await cluster.act('mend', host);
  return undefined;
};

const killOneEtcd =
  (host: (typeof ETCD)[number]): Strike =>
  async (cluster, add) => {
    const writer = await the(cluster, 'primary');
    await cluster.act('kill', host);
    await sleep(ONE_ETCD_LOST_FOR);
    if ((await the(cluster, 'primary')) !== writer) add('the writer changed');
    await cluster.act('start', host);
    return undefined;
  };

const killAllEtcd: Strike = async (cluster, add) => {
  const began = performance.now();
  await Promise.all(ETCD.map((host) => cluster.act('kill', host)));
  await state(
    'no one takes writes',
    async () => (await cluster.hostsThatAre('primary')).length === 0,
  );
  const after = performance.now() - began;
  await sleep(Math.max(0, ALL_ETCD_LOST_FOR - after));
  if ((await cluster.hostsThatAre('primary')).length > 0) add('a server took writes without etcd');
  await Promise.all(ETCD.map((host) => cluster.act('start', host)));
  return { 'read-only after': inSeconds(after) };
};

const switchOver: Strike = async (cluster) => {
  await cluster.switchOver();
  return undefined;
};

export const failovers = {
  kill: failover('failover-kill', 'the writing PostgreSQL’s machine is killed', {
    strikes: { 'writer killed': killWriter },
    secondsEach: 30,
    median: 15,
    worst: 30,
  }),
  partition: failover(
    'failover-partition',
    'the writer is cut off from etcd and its replicas, while nodes still reach it',
    { strikes: { 'writer cut off': cutWriter }, secondsEach: 30, worst: 30 },
  ),
  replica: failover('failover-replica', 'a replica is killed or vanishes', {
    strikes: {
      'synchronous replica killed': killReplica('synchronous'),
      'other replica killed': killReplica('replica'),
      'synchronous replica cut off': cutReplica,
    },
    secondsEach: 60,
    worst: 10,
  }),
  etcd: failover('failover-etcd', 'one etcd after the other is lost for 12 s, then all for 30 s', {
    strikes: {
      ...Object.fromEntries(ETCD.map((host) => [`${host} lost`, killOneEtcd(host)])),
      'all lost': killAllEtcd,
    },
    secondsEach: 100,
    // Clients resend for 30 s.
    mayFail: true,
  }),
  switch: failover('failover-switch', 'another PostgreSQL is made the writer, as for maintenance', {
    strikes: { switchover: switchOver },
    secondsEach: 10,
    worst: 5,
    worstSend: 5,
  }),
};

/** A short run: three writers die and one is cut off. It has no time limits. */
export const failoverInShort = failover(
  'failover',
  'the writer is killed three times and cut off',
  {
    strikes: { first: killWriter, second: killWriter, 'cut off': cutWriter, third: killWriter },
    secondsEach: 1_000,
    mayFail: true,
  },
);
