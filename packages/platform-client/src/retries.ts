import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformError } from './platform-error.ts';

/**
 * When a call may be retried. `repeatable`: the call is idempotent and can be retried after a lost response. `unless_done`: the
 * call must not run twice, so it is retried only after a 429 response. `never`: the caller decides.
 */
export type RetryPolicy = 'repeatable' | 'unless_done' | 'never';

/** Milliseconds before the first retry. The wait doubles with each further retry, up to `LONGEST_WAIT_MS`. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** The longest pause that a call makes at the server's request, in seconds. If the server asks for more, the call fails. */
const LONGEST_RETRY_AFTER = 60;
/** HTTP statuses that mean a temporary failure of the server or of a proxy in front of it. */
const PASSING = new Set([500, 502, 503, 504]);

/**
 * Makes a call until it succeeds, fails permanently, or runs out of retries.
 * @param attempt receives the number of the attempt, from 1
 * @throws PlatformError of the last attempt; any other error of `attempt`, immediately; the signal's reason if it aborts
 */
export async function withRetries<T>(
  attempt: (number: number) => Promise<T>,
  { repetition, retries }: { repetition: RetryPolicy; retries: number },
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!(error instanceof PlatformError) || number > retries) throw error;
      if (!mayRetry(error, repetition)) throw error;
      const wait = waitFor(error, number);
      if (wait === null) throw error;
      // On an abort, ignores sleep's own error and throws the caller's reason instead.
      await sleep(wait, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      signal?.throwIfAborted();
    }
  }
}

function mayRetry({ code, status }: PlatformError, repetition: RetryPolicy): boolean {
  if (repetition === 'never') return false;
  // The server refused the call before doing anything.
  if (status === 429) return true;
  if (repetition === 'unless_done') return false;
  return code === 'network' || code === 'timeout' || PASSING.has(status ?? 0);
}

/** Returns the milliseconds to wait; null if that is too long. */
function waitFor({ retryAfter }: PlatformError, number: number): number | null {
  if (retryAfter !== null) return retryAfter <= LONGEST_RETRY_AFTER ? retryAfter * 1000 : null;
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (number - 1));
  // Jitter, so that clients that failed together don't all retry together.
  return longest / 2 + Math.random() * (longest / 2);
}
