import * as z from 'zod/mini';
import { timestamp } from '../primitives.ts';

export const SubscriptionStatus = z.enum(['trial', 'subscribed']);
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

/** What a fan has of the creator, or had last: a trial or a subscription. It is over once `ends_at` has passed. */
export const Subscription = z
  .object({
    status: SubscriptionStatus,
    /** Null for one without an end. */
    ends_at: z.nullable(timestamp),
  })
  .check(z.meta({ id: 'Subscription' }));
export type Subscription = z.infer<typeof Subscription>;
