import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, CallError, caller } from '../lib/calls.ts';
import type { Outcome } from './client.ts';
import type { Ledger } from './ledger.ts';

/** The console's retry times. Milliseconds. */
const GIVE_UP_AFTER = 30_000;
const FIRST_RETRY = 500;
const LONGEST_RETRY = 5_000;

/** Timeout of a client's call, after which it is retried. Milliseconds. */
export const CALL_TIMEOUT_MS = 5_000;

/** Creates a client's caller. Its calls time out and aren't retried, and the ledger counts their outcomes. */
export const clientCall = (url: string, token: string, ledger: Ledger): Call =>
  caller({
    url,
    token,
    timeoutMs: CALL_TIMEOUT_MS,
    patience: 1,
    onOutcome: (what) => ledger.outcome(what),
  });

/** Retries a send of the same message until it succeeds, is refused for good, or 30 s have passed. */
export async function persist(attempt: () => Promise<{ id: string }>): Promise<Outcome> {
  const deadline = Date.now() + GIVE_UP_AFTER;
  for (let wait = FIRST_RETRY; ; wait = Math.min(wait * 2, LONGEST_RETRY)) {
    try {
      return await attempt();
    } catch (failed) {
      if (isFinal(failed) || Date.now() + wait > deadline) return { failed };
      await sleep(wait);
    }
  }
}

/** Returns whether the server refused the message for good, so that a retry is pointless. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
