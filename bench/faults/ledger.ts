import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Outcome } from './client.ts';

/** Milliseconds: when a pending send counts as starved, how long to wait for sends, and how often to check. */
const STARVED_MS = 10_000;
const SETTLE_PATIENCE = 60_000;
const POLL_MS = 20;

/** A message that a client started to send. */
export interface Send {
  readonly sender: string;
  readonly conversation: string;
  /** Unique, so that the stored message can be matched to this send. */
  readonly content: string;
  /** Milliseconds, from `performance.now`. */
  readonly startedAt: number;
  settledAt: number | null;
  outcome: 'pending' | 'confirmed' | 'failed';
  /** The message id from the confirmation; null unless confirmed. */
  id: string | null;
  /** Why the send failed; null unless failed. */
  reason: string | null;
}

/** The clients' own record of their sends, independent of the server. */
export class Ledger {
  readonly sends: Send[] = [];
  /** How often calls ended with each status or error code. */
  readonly outcomes = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  /** Sends a sender's next message through a client, and records the outcome. */
  async send(sender: string, client: Client, conversation: string): Promise<Outcome> {
    const number = (this.#counts.get(sender) ?? 0) + 1;
    this.#counts.set(sender, number);
    const send: Send = {
      sender,
      conversation,
      content: `${sender} ${number}`,
      startedAt: performance.now(),
      settledAt: null,
      outcome: 'pending',
      id: null,
      reason: null,
    };
    this.sends.push(send);
    const outcome = await client.send(conversation, send.content);
    send.settledAt = performance.now();
    if ('id' in outcome) Object.assign(send, { outcome: 'confirmed', id: outcome.id });
    else Object.assign(send, { outcome: 'failed', reason: reasonOf(outcome.failed) });
    return outcome;
  }

  /** Counts a call's status, or the error if it got no response. */
  outcome(what: number | Error): void {
    const name = typeof what === 'number' ? String(what) : reasonOf(what);
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
  }

  /**
   * Waits, for at most a minute, until no send has been pending for more than 10 s. Clients give up after 30 s, so a fault that
   * strikes repeatedly without this wait would make sends fail on a machine where the server starts slowly.
   */
  async yieldToLoop(): Promise<void> {
    const isStarved = ({ outcome, startedAt }: Send) =>
      outcome === 'pending' && performance.now() - startedAt > STARVED_MS;
    const deadline = performance.now() + SETTLE_PATIENCE;
    while (this.sends.some(isStarved) && performance.now() < deadline) await sleep(POLL_MS);
  }

  /** Waits for the currently pending sends. @returns these sends; some may still be pending after a minute */
  async settle(): Promise<Send[]> {
    const pending = this.sends.filter(({ outcome }) => outcome === 'pending');
    const deadline = performance.now() + SETTLE_PATIENCE;
    while (pending.some(({ outcome }) => outcome === 'pending') && performance.now() < deadline) {
      await sleep(POLL_MS);
    }
    return pending;
  }

  count(outcome: Send['outcome']): number {
    return this.sends.filter((send) => send.outcome === outcome).length;
  }

  /** Counts responses by status class: 5 counts every 5xx, which are the server's own failures. */
  answers(hundred: 2 | 3 | 4 | 5): number {
    let sum = 0;
    for (const [name, times] of this.outcomes)
      if (/^\d{3}$/.test(name) && name[0] === String(hundred)) sum += times;
    return sum;
  }
}

/** Returns the error's code or message. Uses its cause, because `fetch` only reports "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return code ?? (cause.message || cause.name);
}
