import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BROKEN, loadBrokenCode } from '../testing/storm/broken-code.ts';
import { ENDS, tryStorms } from '../testing/storm/try-storms.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('storms tell when the app', () => {
  it.each(Object.keys(BROKEN))(
    '%s',
    async (name) => {
      const tabs = [await loadBrokenCode(name), await loadBrokenCode(name)];
      const failures: string[] = [];
      for (const end of ENDS) {
        const failure = await tryStorms(tabs, end, {
          runs: Number(process.env.R ?? 40),
          seed: 1,
          shrinks: false,
        }).catch(String);
        failures.push(
          failure
            ? (/(expected.*|Property failed after \d+ tests?)/.exec(failure)?.[0] ?? failure)
            : 'none',
        );
      }
      console.log(name, failures);
      expect(failures.some((f) => f !== 'none')).toBe(true);
    },
    100_000,
  );
});
