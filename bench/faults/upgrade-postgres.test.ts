import { expect, test } from 'vitest';
import { leftOut } from '../../apps/server/test/left-out.ts';
import { upgradeMissing, upgradePostgres } from './kinds/upgrade-postgres.ts';
import { runFault } from './run.ts';

/** A run creates two databases and copies one, which takes long on a busy machine. In seconds and milliseconds. */
const SCRIPT_PATIENCE = 120;
const PATIENCE = 300_000;

test.skipIf(leftOut('Upgrading PostgreSQL is', upgradeMissing()))(
  'an upgrade of PostgreSQL under load loses and doubles nothing',
  async () => {
    const fault = { ...upgradePostgres(SCRIPT_PATIENCE, Number.POSITIVE_INFINITY), mayFail: true };
    const seed = Number(process.env.TEST_SEED ?? 1);
    const run = await runFault(fault, { seconds: 2, senders: 6, fans: 3, seed });
    expect(run?.verdict.examples, `seed ${seed}`).toEqual([]);
    expect(run?.report.figures['confirmed after']).toBeGreaterThan(0);
  },
  PATIENCE,
);
