import { expect, test } from 'vitest';
import { leftOut } from '../../apps/server/test/left-out.ts';
import { clusterMissing } from './cluster.ts';
import { failoverInShort } from './kinds/failover.ts';
import { runFault } from './run.ts';

const PATIENCE_MS = 1_800_000;

test.skipIf(leftOut('A cluster is', clusterMissing()))(
  'nothing confirmed is lost or doubled while the writing database is killed three times and cut off, and sends go on',
  async () => {
    const run = await runFault(failoverInShort, { seconds: 1, senders: 6, fans: 3, seed: 7 });
    // How soon clients catch up is measured by the bench, not by tests.
    const { clients: _clients, ...safe } = run?.verdict.broken ?? {};
    expect(
      Object.entries(safe).filter(([, count]) => count > 0),
      run?.verdict.examples.join('\n'),
    ).toEqual([]);
    expect(run?.report.figures.strikes).toBe(4);
    expect(run?.sends.confirmed).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
