import { expect, test } from 'vitest';
import { skipWithoutRedis } from '../../apps/server/test/servers/redis.ts';
import type { Fault } from './fault.ts';
import { killBroker } from './kinds/kill-broker.ts';
import { rollingRestarts } from './kinds/rolling-restarts.ts';
import { isSound, type Run, runFault } from './run.ts';
import { twoNodes } from './two-nodes.ts';

const PATIENCE_MS = 180_000;
const SEED = 7;

async function run(fault: Fault, seconds: number): Promise<Run> {
  const done = await runFault(fault, { seconds, senders: 6, fans: 3, seed: SEED });
  if (done === null) throw new Error('this machine cannot run it');
  return done;
}

/** Returns the broken invariants with examples; empty if none is broken. */
const broken = ({ verdict }: Run) => ({
  ...Object.fromEntries(Object.entries(verdict.broken).filter(([, count]) => count > 0)),
  ...(verdict.examples.length > 0 && { examples: verdict.examples }),
});

test.skipIf(skipWithoutRedis())(
  'two nodes lose nothing and leave no client behind while Redis is killed',
  async () => {
    const done = await run(killBroker(), 4);
    expect(broken(done)).toEqual({});
    expect(isSound(done)).toBe(true);
  },
  PATIENCE_MS,
);

test.skipIf(skipWithoutRedis())(
  'no send fails while nodes are restarted in turn',
  async () => {
    expect(broken(await run(rollingRestarts(), 4))).toEqual({});
  },
  PATIENCE_MS,
);

test.skipIf(skipWithoutRedis())(
  'nodes without a common broker are caught',
  async () => {
    const apart = killBroker(twoNodes({ together: false }));
    const { verdict } = await run({ ...apart, run: async () => ({ figures: {} }) }, 1);
    expect(verdict.broken.clients).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
