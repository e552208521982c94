import { type AppError, rateLimited, unauthorized } from '../errors.ts';
import type { Broker } from '../realtime/broker.ts';
import { createCount } from './shared-limits.ts';

/** Failed credentials allowed per client address: staff, fans and platform, HTTP and sockets combined. */
const ALLOWED = { max: 100, timeWindow: 60_000 };

/**
 * Counts a failed credential. Valid credentials from the same address keep working, because they are checked first.
 * @param address the client's
 * @returns the error to throw: 401 `unauthorized`, or 429 `rate_limited` after too many
 */
export type CountFailure = (address: string) => Promise<AppError>;

export function createFailureCount(broker: Pick<Broker, 'count'> | null): CountFailure {
  const count = createCount(broker);
  return async (address) => {
    const { current, ttl } = await count(`failed-credentials:${address}`, ALLOWED.timeWindow);
    return current > ALLOWED.max
      ? rateLimited(Math.max(1, Math.ceil(ttl / 1_000)))
      : unauthorized();
  };
}
