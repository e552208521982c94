import { putSubscription } from '@stagedoor/contract/platform/platform';
import type { Core } from '../../domain.ts';
import { invalidRequest } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { ChangeFan } from '../fans/change-fan.ts';
import { requireFan } from '../fans/fans.store.ts';
import { clearSubscription, setSubscription } from './subscriptions.store.ts';

/** Binds the endpoint with which the platform sets a fan's trial or subscription. Staff see the change live. */
export function bindSubscriptionRoutes(router: Router, { db }: Core, changeFan: ChangeFan): void {
  router.bind(putSubscription, async ({ params, body: { status, ends_at = null } }) => {
    if (status === null && ends_at !== null)
      throw invalidRequest({ ends_at: 'Must be omitted when there is no subscription' });
    const fan = await requireFan(db, params.fan);
    const endsAt = ends_at === null ? null : new Date(ends_at);
    await changeFan({ fan: fan.id }, async (tx, held) => {
      const changed =
        status === null
          ? await clearSubscription(tx, held)
          : await setSubscription(tx, held, { status, endsAt });
      return { shows: changed ? 'conversation' : null, result: undefined };
    });
    return reply(200, {
      data: {
        subscription: status === null ? null : { status, ends_at: endsAt?.toISOString() ?? null },
      },
    });
  });
}
