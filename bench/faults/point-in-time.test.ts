import { expect, test } from 'vitest';
import { leftOut } from '../../apps/server/test/left-out.ts';
import { archivingMissing } from '../lib/archived-server.ts';
import { pointInTime } from './kinds/point-in-time.ts';
import { runFault } from './run.ts';

/** A run creates, copies and recovers a database, which takes long on a busy machine. Milliseconds. */
const PATIENCE = 300_000;

test.skipIf(leftOut('Restoring to a moment is', archivingMissing()))(
  'a restore to a moment under load brings back exactly what was confirmed by then',
  async () => {
    const seed = Number(process.env.TEST_SEED ?? 1);
    const run = await runFault(pointInTime, { seconds: 2, senders: 6, fans: 3, seed });
    expect(run?.verdict.examples, `seed ${seed}`).toEqual([]);
    expect(run?.sends.failed).toBe(0);
    expect(run?.report.figures['confirmed by then']).toBeGreaterThan(0);
  },
  PATIENCE,
);
