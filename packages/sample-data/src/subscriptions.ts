import type { Row } from './row.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Each fan's status and days left (`today`: ends today; null: no end), by index. A null entry is a fan without a subscription. */
const SUBSCRIPTIONS: readonly (
  | readonly ['trial' | 'subscribed', number | 'today' | null]
  | null
)[] = [
  ['trial', 'today'],
  ['subscribed', null],
  null,
  ['trial', 3],
  ['subscribed', 5],
  null,
  ['subscribed', null],
  ['trial', -2],
  null,
  ['trial', 12],
  null,
  ['subscribed', 'today'],
  null,
  ['subscribed', -9],
  ['trial', 1],
  ['subscribed', 24],
  null,
];

/**
 * Returns a sample fan's subscription as a row without the fan's id; null if the fan never had one.
 * @param now milliseconds since the epoch
 */
export function sampleSubscription(index: number, now: number): Row | null {
  const standing = SUBSCRIPTIONS[index % SUBSCRIPTIONS.length];
  if (!standing) return null;
  const [status, left] = standing;
  const endsAt = endOf(left, now);
  const startedAt = Math.min(now, endsAt ?? now) - 30 * DAY_MS;
  return {
    status,
    started_at: new Date(startedAt).toISOString(),
    ends_at: endsAt === null ? null : new Date(endsAt).toISOString(),
  };
}

function endOf(left: number | 'today' | null, now: number): number | null {
  if (left === null) return null;
  // Ends with the server's local day. In a demo on one machine, that is the viewer's day too.
  return left === 'today' ? new Date(now).setHours(23, 59, 59, 999) : now + left * DAY_MS + HOUR_MS;
}
