import { describe, expect, it } from 'vitest';
import { BROKEN, loadBrokenCode } from '../../testing/storm/broken-code.ts';
import { ENDS, setStormClock, tryStorms } from '../../testing/storm/try-storms.ts';

/** Fixed, so that finding a fault does not depend on luck. */
const SEED = 1;
const RUNS = 60;

setStormClock();

describe('the storms find the fault when the app', () => {
  it.each(Object.keys(BROKEN))(
    '%s',
    async (name) => {
      const tabs = [await loadBrokenCode(name), await loadBrokenCode(name)];
      const found: string[] = [];
      for (const end of ENDS) {
        if (found.length > 0) break;
        const run = tryStorms(tabs, end, { runs: RUNS, seed: SEED, shrinks: false });
        await run.catch((error: unknown) => found.push(String(error)));
      }
      expect(found).toEqual([expect.stringContaining('Property failed')]);
    },
    300_000,
  );
});
