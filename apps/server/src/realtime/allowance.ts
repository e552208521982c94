import { AppError } from '../errors.ts';

interface Window {
  readonly max: number;
  /** Milliseconds. */
  readonly timeWindow: number;
}

/**
 * Counts something by key, from its first time on until the window is over.
 * @returns notes one more, and says how often that was within the window
 */
function counter({ timeWindow }: Pick<Window, 'timeWindow'>): (key: string) => number {
  const windows = new Map<string, { count: number; readonly until: number }>();
  return (key) => {
    const now = performance.now();
    const open = windows.get(key);
    if (open !== undefined && now < open.until) return ++open.count;
    // The oldest come first: what is over is forgotten on the way.
    for (const [old, { until }] of windows) {
      if (until > now) break;
      windows.delete(old);
    }
    windows.delete(key);
    windows.set(key, { count: 1, until: now + timeWindow });
    return 1;
  };
}

/**
 * Holds each key – a session, a fan – to so many handshakes.
 * @returns notes one; throws AppError 429 `rate_limited` when it is one too many
 */
export function limitHandshakes(limit: Window): (key: string) => void {
  const count = counter(limit);
  return (key) => {
    if (count(key) > limit.max) throw new AppError('rate_limited');
  };
}

/** Whoever is cut off again within this comes back no sooner than after as long. Milliseconds. */
const SHUT_OUT_MS = 5_000;

/** Those who flood, are cut off, and come back to flood: each time would cost the others what the first did. */
export interface ShutOut {
  /** They were cut off. */
  add(key: string): void;
  has(key: string): boolean;
}

export function shutOut(): ShutOut {
  const cuts = new Map<string, { readonly at: number; readonly isAgain: boolean }>();
  const isOver = ({ at }: { at: number }) => performance.now() - at > SHUT_OUT_MS;
  return {
    add(key) {
      for (const [old, cut] of cuts) if (isOver(cut)) cuts.delete(old);
      cuts.set(key, { at: performance.now(), isAgain: cuts.has(key) });
    },
    has(key) {
      const cut = cuts.get(key);
      return cut?.isAgain === true && !isOver(cut);
    },
  };
}

/** Events of one socket that may be under way at once: one beyond is refused, so that a flood only hurts its sender. */
const MAX_UNDERWAY = 64;
/** Events that one socket may send within a window: what a server can just about store, so that an integration is not held up. */
const EVENTS: Window = { max: 30_000, timeWindow: 10_000 };
/** Who goes on so often within a window although they are refused is cut off. */
const REFUSALS_MAX = 1_000;

/** How much one socket may ask for. */
export interface EventAllowance {
  /** What becomes of one more event. `take` must be followed by `done`. */
  next(): 'take' | 'refuse' | 'cut off';
  done(): void;
  /** What becomes of one that is refused whatever the allowance. */
  refuse(): 'refuse' | 'cut off';
}

export function eventAllowance(): EventAllowance {
  const events = counter(EVENTS);
  const refusals = counter(EVENTS);
  let underway = 0;
  const refuse = () => (refusals('') > REFUSALS_MAX ? 'cut off' : 'refuse');
  return {
    next() {
      if (events('') > EVENTS.max || underway >= MAX_UNDERWAY) return refuse();
      underway++;
      return 'take';
    },
    done() {
      underway--;
    },
    refuse,
  };
}
