import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Broker } from '../realtime/broker.ts';
import { inTime } from './in-time.ts';

type Answer = Parameters<FastifyRateLimitStore['incr']>[1];

/** Options of a route's limit. With `isPerNode`, each node counts separately: less exact, but no call waits for Redis. */
export interface PerNode {
  readonly isPerNode?: boolean;
}

/** How long a call waits for the shared count. Milliseconds. */
const PATIENCE_MS = 250;
/** Maximum number of callers that a window count tracks. */
const CALLERS_MAX = 5_000;

/**
 * Counts calls across all nodes. Each node also keeps its own count and uses it while Redis doesn't answer: a caller then gets
 * the full limit on each node.
 */
export function sharedLimits(broker: Pick<Broker, 'count'>): FastifyRateLimitStoreCtor {
  class SharedStore implements FastifyRateLimitStore {
    readonly #count: Count;
    readonly #route: string;

    constructor(_options: object, route = '', isPerNode = false) {
      this.#count = createCount(isPerNode ? null : broker);
      this.#route = route;
    }

    incr(key: string, answer: Answer, windowMs: number): void {
      void this.#count(`${this.#route}:${key}`, windowMs).then((counted) => answer(null, counted));
    }

    child(options: object): FastifyRateLimitStore {
      // The types don't say so, but the plugin passes the route.
      const { routeInfo, isPerNode } = options as PerNode & {
        routeInfo: { method: string | string[]; url: string };
      };
      return new SharedStore({}, `${String(routeInfo.method)}${routeInfo.url}`, isPerNode);
    }
  }
  return SharedStore;
}

/** The number of calls in the current window, and the milliseconds until the window ends. */
type Counted = { current: number; ttl: number };
/** Counts one call by a caller within a window of milliseconds. */
type Count = (key: string, windowMs: number) => Promise<Counted>;

/** Returns a count across all nodes. Without a broker, or while it doesn't answer, only this node's calls are counted. */
export function createCount(broker: Pick<Broker, 'count'> | null): Count {
  const own = createWindowCount();
  return async (key, windowMs) => {
    const here = own(key, windowMs);
    if (broker === null) return here;
    const shared = await inTime(broker.count(key, windowMs), PATIENCE_MS).catch(() => null);
    return shared ?? here;
  };
}

/** Returns a count of each caller's calls on this node, in a window that starts with the caller's first call. */
export function createWindowCount(): (key: string, windowMs: number) => Counted {
  const windows = new Map<string, { current: number; ends: number }>();
  return (key, windowMs) => {
    const now = performance.now();
    const running = windows.get(key);
    const window =
      running !== undefined && running.ends > now ? running : { current: 0, ends: now + windowMs };
    window.current++;
    // Moves the caller to the end, so that the least recent callers are evicted first.
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > CALLERS_MAX) windows.delete(windows.keys().next().value ?? key);
    return { current: window.current, ttl: window.ends - now };
  };
}
