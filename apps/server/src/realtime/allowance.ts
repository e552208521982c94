import { AppError } from '../errors.ts';
import type { CallLimit } from '../http/route.ts';
import { createWindowCount } from '../http/shared-limits.ts';

/**
 * Limits the handshakes per key, such as a session or a fan.
 * @returns a function that counts one handshake; throws AppError 429 `rate_limited` if it exceeds the limit
 */
export function limitHandshakes({ max, timeWindow }: CallLimit): (key: string) => void {
  const count = createWindowCount();
  return (key) => {
    if (count(key, timeWindow).current > max) throw new AppError('rate_limited');
  };
}

/** A client that is cut off twice within this time is then refused for the same time. Milliseconds. */
const SHUT_OUT_MS = 5_000;

/** Remembers clients that were cut off for flooding. Otherwise they could reconnect and flood again immediately. */
export function shutOut() {
  const cuts = new Map<string, { readonly at: number; readonly isAgain: boolean }>();
  const isOver = ({ at }: { at: number }) => performance.now() - at > SHUT_OUT_MS;
  return {
    /** Records that the client was cut off. */
    add(key: string) {
      for (const [old, cut] of cuts) if (isOver(cut)) cuts.delete(old);
      cuts.set(key, { at: performance.now(), isAgain: cuts.has(key) });
    },
    has(key: string): boolean {
      const cut = cuts.get(key);
      return cut?.isAgain === true && !isOver(cut);
    },
  };
}

/** Events of one socket that may be handled at the same time; more are refused, so that a flood only affects its sender. */
const MAX_UNDERWAY = 64;
/** Events that one socket may send per window: about as many as a server can store, so that integrations are not slowed down. */
const EVENTS: CallLimit = { max: 30_000, timeWindow: 10_000 };
/** A socket with more refused events than this in a window is cut off. */
const REFUSALS_MAX = 1_000;

/** Creates the limits for the events of one socket. */
export function eventAllowance() {
  const count = createWindowCount();
  let underway = 0;
  /** Counts a refused event; also called for events that are refused regardless of these limits. */
  const refuse = (): 'refuse' | 'cut off' =>
    count('refusals', EVENTS.timeWindow).current > REFUSALS_MAX ? 'cut off' : 'refuse';
  return {
    /** Decides what to do with the next event. Call `done` after each `take`. */
    next(): 'take' | 'refuse' | 'cut off' {
      const { current } = count('events', EVENTS.timeWindow);
      if (current > EVENTS.max || underway >= MAX_UNDERWAY) return refuse();
      underway++;
      return 'take';
    },
    done() {
      underway--;
    },
    refuse,
  };
}
