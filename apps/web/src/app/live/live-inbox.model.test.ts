import { beforeAll, describe, it } from 'vitest';
import { type ConsoleCode, loadConsoleCode } from '../../testing/storm/console-code.ts';
import { ENDS, setStormClock, tryStorms } from '../../testing/storm/try-storms.ts';

/**
 * A fixed seed makes a version pass or fail every time. `INBOX_MODEL_RUNS` sets the number of runs. `INBOX_MODEL_SEED` sets
 * another seed, for example one that a failure printed.
 */
const RUNS = Number(process.env.INBOX_MODEL_RUNS ?? 60);
const MS_A_RUN = 2_000;
const seed = Number(process.env.INBOX_MODEL_SEED ?? 1);

const tabs: ConsoleCode[] = [];

beforeAll(async () => {
  for (let tab = 0; tab < 2; tab += 1) tabs.push(await loadConsoleCode());
});

setStormClock();

describe('two tabs end in the state of a fresh fetch', () => {
  it.each(ENDS)(
    'once $title',
    async (end) => {
      await tryStorms(tabs, end, { runs: RUNS, seed });
    },
    RUNS * MS_A_RUN,
  );
});
