import { putSubscription } from '@stagedoor/contract/platform/platform';
import type { Database } from '../../db/database.ts';
import type { ConversationsChanged } from '../../db/outbox-events.ts';
import { fanNotFound, invalidRequest } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { findFan } from '../fans/fans.store.ts';
import { setSubscription } from './subscriptions.store.ts';

interface SubscriptionRoutes {
  readonly db: Database;
  /** Emits that conversations changed. */
  readonly conversationChanged: ConversationsChanged;
}

/** Binds the endpoint with which the platform sets a fan's trial or subscription. Staff see the change live. */
export function bindSubscriptionRoutes(
  router: Router,
  { db, conversationChanged }: SubscriptionRoutes,
): void {
  router.bind(putSubscription, async ({ params, body: { status, ends_at = null } }) => {
    if (status === null && ends_at !== null)
      throw invalidRequest({ ends_at: 'Must be omitted when there is no subscription' });
    const fan = await findFan(db, params.fan);
    if (fan === null) throw fanNotFound();
    const endsAt = ends_at === null ? null : new Date(ends_at);
    const subscription = status === null ? null : { status, endsAt };
    const change = await setSubscription(db, fan.id, subscription);
    if (change === 'no fan') throw fanNotFound();
    if (change !== 'unchanged') {
      await conversationChanged([change]);
    }
    return reply(200, {
      data: {
        subscription: status === null ? null : { status, ends_at: endsAt?.toISOString() ?? null },
      },
    });
  });
}
