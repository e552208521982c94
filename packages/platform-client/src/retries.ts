import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from './platform-error.ts';

/**
 * When a call may be made again. `repeatable`: the same call twice does what it does once, so that a lost answer is no
 * reason to give up. `unless_done`: it may have been done, so that only a refusal lets it be made again. `never`: that is
 * the caller's to decide.
 */
export type Repetition = 'repeatable' | 'unless_done' | 'never';

/** Milliseconds before the first repetition; each later one waits up to twice as long. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** Seconds: when the server asks for a longer pause the caller is told instead of kept waiting. */
const LONGEST_RETRY_AFTER = 60;
/** Answers of a server, or of what stands before it, that is not able to answer for the moment. */
const PASSING = new Set([500, 502, 503, 504]);

/**
 * Makes a call until it succeeds, fails for good, or was repeated often enough.
 * @param attempt is given the number of the try, from 1
 * @throws PlatformError of the last try; whatever else `attempt` throws, at once
 */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  { repetition, retries }: { repetition: Repetition; retries: number },
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!(error instanceof PlatformError) || number > retries) throw error;
      if (!mayRepeat(error, repetition)) throw error;
      const wait = waitFor(error, number);
      if (wait === null) throw error;
      // Its own error on an abort hides the caller's reason.
      await sleep(wait, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      signal?.throwIfAborted();
    }
  }
}

function mayRepeat({ code, status }: PlatformError, repetition: Repetition): boolean {
  if (repetition === 'never') return false;
  // Refused before anything was done.
  if (status === 429) return true;
  if (repetition === 'unless_done') return false;
  return code === 'network' || code === 'timeout' || PASSING.has(status ?? 0);
}

/** @returns milliseconds; null: too long to wait */
function waitFor({ retryAfter }: PlatformError, number: number): number | null {
  if (retryAfter !== null) return retryAfter <= LONGEST_RETRY_AFTER ? retryAfter * 1000 : null;
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (number - 1));
  // Spread, so that callers who failed together don't all come back together.
  return longest / 2 + Math.random() * (longest / 2);
}
