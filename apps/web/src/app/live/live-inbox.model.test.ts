import { afterEach, beforeAll, beforeEach, describe, it, vi } from 'vitest';
import { type ConsoleCode, loadConsoleCode } from '../../testing/storm/console-code.ts';
import { ENDS, tryStorms } from '../../testing/storm/try-storms.ts';

/**
 * By one seed, so that a version passes or fails whenever it is tested. `INBOX_MODEL_RUNS` tries more; `INBOX_MODEL_SEED` tries
 * others, and those that a failure printed again.
 */
const RUNS = Number(process.env.INBOX_MODEL_RUNS ?? 60);
const MS_A_RUN = 2_000;
const seed = Number(process.env.INBOX_MODEL_SEED ?? 1);

const tabs: ConsoleCode[] = [];

beforeAll(async () => {
  for (let tab = 0; tab < 2; tab += 1) tabs.push(await loadConsoleCode());
});

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  // What fails in the background is told there.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('two tabs end as a fresh fetch', () => {
  it.each(ENDS)(
    'once $title',
    async (end) => {
      await tryStorms(tabs, end, { runs: RUNS, seed });
    },
    RUNS * MS_A_RUN,
  );
});
