import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Broker } from '../realtime/broker.ts';

type Answer = Parameters<FastifyRateLimitStore['incr']>[1];

/** Of a route's limit: that it need not be exact, and that each node counts for itself, which costs no call its time. */
export interface PerNode {
  readonly isPerNode?: boolean;
}

/** No caller waits longer than this for the other nodes' count. Milliseconds. */
const PATIENCE_MS = 250;
/** Callers that one node counts for each route. */
const CALLERS_MAX = 5_000;

/**
 * Counts calls of all nodes together. Each node counts its own as well, and goes by that where Redis doesn't answer: what one caller
 * can do is then what one node allows, from each node.
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
      // Its types don't say so, but the plugin tells which route it is.
      const { routeInfo, isPerNode } = options as PerNode & {
        routeInfo: { method: string | string[]; url: string };
      };
      return new SharedStore({}, `${String(routeInfo.method)}${routeInfo.url}`, isPerNode);
    }
  }
  return SharedStore;
}

type Counted = { current: number; ttl: number };
/** Counts a call of a caller's within a window of milliseconds. */
type Count = (key: string, windowMs: number) => Promise<Counted>;

/** Counts on all nodes together; on this one alone without a broker, and while it does not answer. */
export function createCount(broker: Pick<Broker, 'count'> | null): Count {
  const own = createOwnCount();
  return async (key, windowMs) => {
    const here = own(key, windowMs);
    return broker === null ? here : inTime(broker.count(key, windowMs)).catch(() => here);
  };
}

/** Counts the calls of each caller within a window that begins with the first. */
function createOwnCount() {
  const windows = new Map<string, { current: number; ends: number }>();
  return (key: string, windowMs: number): Counted => {
    const now = performance.now();
    const running = windows.get(key);
    const window =
      running !== undefined && running.ends > now ? running : { current: 0, ends: now + windowMs };
    window.current++;
    // The newest are last: who calls most is forgotten last.
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > CALLERS_MAX) windows.delete(windows.keys().next().value ?? key);
    return { current: window.current, ttl: window.ends - now };
  };
}

async function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
