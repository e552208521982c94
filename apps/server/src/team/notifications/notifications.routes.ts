import * as api from '@stagedoor/contract/team/notifications';
import type { Core } from '../../domain.ts';
import { invalidRequest } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import * as store from './notifications.store.ts';
import { isPushEndpoint, type PushRules } from './post-push.ts';
import { isPublicKey } from './push-encryption.ts';

interface NotificationRoutes extends Core {
  /** The public key with which browsers subscribe. */
  readonly pushKey: string;
  readonly rules: PushRules;
}

export function bindNotificationRoutes(
  router: Router,
  { db, pushKey, rules }: NotificationRoutes,
): void {
  router.bind(api.getNotificationSettings, async ({ actor }) => {
    const settings = (await store.findSettings(db, actor.admin.id)) ?? store.DEFAULT_SETTINGS;
    const is_subscribed = await store.hasSubscription(db, actor.sessionId);
    return reply(200, { data: { ...settings, push_key: pushKey, is_subscribed } });
  });

  router.bind(api.updateNotificationSettings, async ({ actor, body }) => {
    await store.saveSettings(db, actor.admin.id, body);
    return reply(200, { data: body });
  });

  router.bind(api.subscribeToPush, async ({ actor, body: { endpoint, keys } }) => {
    if (!isPushEndpoint(endpoint, rules)) {
      throw invalidRequest({
        endpoint:
          'Must be the address of a push service that browsers use or that is listed in PUSH_SERVICES',
      });
    }
    const public_key = Buffer.from(keys.p256dh, 'base64url');
    if (!isPublicKey(public_key)) {
      throw invalidRequest({ 'keys.p256dh': 'Must be a P-256 public key' });
    }
    const auth = Buffer.from(keys.auth, 'base64url');
    await store.putSubscription(db, { session_id: actor.sessionId, endpoint, public_key, auth });
    return reply(204, null);
  });

  router.bind(api.unsubscribeFromPush, async ({ actor }) => {
    await store.deleteSubscription(db, actor.sessionId);
    return reply(204, null);
  });
}
