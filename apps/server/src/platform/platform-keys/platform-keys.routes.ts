import * as api from '@stagedoor/contract/platform/platform-keys';
import { type Router, reply } from '../../http/route.ts';
import type { PlatformKeysService } from './platform-keys.service.ts';

export function bindPlatformKeyRoutes(router: Router, keys: PlatformKeysService): void {
  router.bind(api.listPlatformKeys, async () => reply(200, await keys.list()));

  router.bind(api.createPlatformKey, async ({ actor, body }) =>
    reply(201, { data: await keys.create(actor, body) }),
  );

  router.bind(api.revokePlatformKey, async ({ actor, params }) =>
    reply(200, { data: await keys.revoke(actor, params.id) }),
  );
}
