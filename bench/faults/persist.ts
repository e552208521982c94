import { CallError } from '../demo/calls.ts';
import { type Outcome, pause } from './client.ts';

/** As the console has them. Milliseconds. */
const GIVE_UP_AFTER = 30_000;
const FIRST_RETRY = 500;
const LONGEST_RETRY = 5_000;

/** A call of a client's is given up after this, and made again. Milliseconds. */
export const CALL_TIMEOUT_MS = 5_000;

/** Makes a call, which is the same message each time, until it succeeds, is refused for good, or half a minute is over. */
export async function persist(attempt: () => Promise<{ id: string }>): Promise<Outcome> {
  const deadline = Date.now() + GIVE_UP_AFTER;
  for (let wait = FIRST_RETRY; ; wait = Math.min(wait * 2, LONGEST_RETRY)) {
    try {
      return await attempt();
    } catch (failed) {
      if (isFinal(failed) || Date.now() + wait > deadline) return { failed };
      await pause(wait);
    }
  }
}

/** Whether the server understood the message and will not take it, however often it is asked. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
