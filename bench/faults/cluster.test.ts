import { expect, test } from 'vitest';
import { leftOut } from '../../apps/server/test/left-out.ts';
import { clusterMissing } from './cluster.ts';
import { cluster } from './kinds/cluster.ts';
import { runFault } from './run.ts';

const PATIENCE_MS = 600_000;

test.skipIf(leftOut('A cluster is', clusterMissing()))(
  'three nodes behind nginx lose nothing and leave no client behind while a node dies, one is cut off, and Redis and the writing PostgreSQL restart',
  async () => {
    const run = await runFault(cluster, { seconds: 12, senders: 6, fans: 3, seed: 7 });
    expect(run?.verdict.examples).toEqual([]);
    expect(run?.sends.failed).toBe(0);
    expect(run?.sends.confirmed).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
