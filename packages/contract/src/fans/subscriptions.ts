import * as z from 'zod/mini';
import { namedObject, timestamp } from '../primitives.ts';

export const SubscriptionStatus = z.enum(['trial', 'subscribed']);
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

/** A fan's current or last trial or subscription. It is over once `ends_at` has passed. */
export const Subscription = namedObject('Subscription', {
  status: SubscriptionStatus,
  /** Null if it has no end. */
  ends_at: z.nullable(timestamp),
});
export type Subscription = z.infer<typeof Subscription>;
