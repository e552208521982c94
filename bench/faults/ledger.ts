import { pause } from './client.ts';

/** Milliseconds. */
const STARVED_MS = 10_000;
const SETTLE_PATIENCE = 60_000;
const LOOK_MS = 20;

/** By which client: a tab of the console, staff by hand, the platform for a fan, or a tab of the fan client. */
export type SenderKind = 'console' | 'staff' | 'platform' | 'fan';

/** A message that somebody set out to send. */
export interface Send {
  readonly sender: string;
  readonly kind: SenderKind;
  readonly conversation: string;
  /** Like no other's, so that what is stored can be told. */
  readonly content: string;
  /** Milliseconds, as `performance.now` counts them. */
  readonly startedAt: number;
  settledAt: number | null;
  outcome: 'pending' | 'confirmed' | 'failed';
  /** Of the confirmed: what the confirmation named. */
  id: string | null;
  /** Of the failed. */
  reason: string | null;
}

/** What clients know of what they sent: kept on their side, out of the server's reach. */
export class Ledger {
  readonly sends: Send[] = [];
  /** What calls came to, by status or by the error's code, and how often. */
  readonly outcomes = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  /** A sender begins its next message. */
  begin(sender: string, kind: SenderKind, conversation: string): Send {
    const number = (this.#counts.get(sender) ?? 0) + 1;
    this.#counts.set(sender, number);
    const send: Send = {
      sender,
      kind,
      conversation,
      content: `${sender} ${number}`,
      startedAt: performance.now(),
      settledAt: null,
      outcome: 'pending',
      id: null,
      reason: null,
    };
    this.sends.push(send);
    return send;
  }

  confirm(send: Send, id: string): void {
    if (send.outcome !== 'pending') return;
    send.outcome = 'confirmed';
    send.id = id;
    send.settledAt = performance.now();
  }

  fail(send: Send, reason: unknown): void {
    if (send.outcome !== 'pending') return;
    send.outcome = 'failed';
    send.reason = reasonOf(reason);
    send.settledAt = performance.now();
  }

  /** Notes a call's status, or why it got none. */
  outcome(what: number | Error): void {
    const name = typeof what === 'number' ? String(what) : reasonOf(what);
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
  }

  /**
   * Waits until no message has been on its way for long. Clients try for half a minute: on a machine on which the server
   * takes as long to start, faults that don't wait for them would prove nothing but that.
   */
  async breathe(): Promise<void> {
    const isStarved = ({ outcome, startedAt }: Send) =>
      outcome === 'pending' && performance.now() - startedAt > STARVED_MS;
    const deadline = performance.now() + SETTLE_PATIENCE;
    while (this.sends.some(isStarved) && performance.now() < deadline) await pause(LOOK_MS);
  }

  /** Waits until all that is on its way now has come to its end. @returns those messages, some still pending after a minute */
  async settle(): Promise<Send[]> {
    const pending = this.sends.filter(({ outcome }) => outcome === 'pending');
    const deadline = performance.now() + SETTLE_PATIENCE;
    while (pending.some(({ outcome }) => outcome === 'pending') && performance.now() < deadline) {
      await pause(LOOK_MS);
    }
    return pending;
  }

  count(outcome: Send['outcome']): number {
    return this.sends.filter((send) => send.outcome === outcome).length;
  }

  /** Calls that were answered with a status of that hundred, the 5 of which are the server's own failures. */
  answers(hundred: 2 | 3 | 4 | 5): number {
    let sum = 0;
    for (const [name, times] of this.outcomes)
      if (/^\d{3}$/.test(name) && name[0] === String(hundred)) sum += times;
    return sum;
  }
}

/** Fetch says "fetch failed", and what failed in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return code ?? (cause.message || cause.name);
}
