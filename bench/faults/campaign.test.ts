import { expect, test } from 'vitest';
import { skipWithoutRedis } from '../../apps/server/test/servers/redis.ts';
import { campaign } from './kinds/campaign.ts';
import { isSound, runFault } from './run.ts';

const PATIENCE_MS = 600_000;
const SEED = Number(process.env.TEST_SEED ?? 1);

test.skipIf(skipWithoutRedis())(
  'a mass message reaches each fan once or never, whatever is killed meanwhile',
  async () => {
    const run = await runFault(campaign(2_000, 3), { seconds: 1, senders: 6, fans: 3, seed: SEED });
    expect(run?.verdict.examples, `seed ${SEED}`).toEqual([]);
    expect(run !== null && isSound(run)).toBe(true);
    expect(run?.report.figures).toMatchObject({ audience: 2_003 });
  },
  PATIENCE_MS,
);
