import { getGuardRails, updateGuardRails } from '@stagedoor/contract/messaging/guard-rails';
import { type Router, reply } from '../../http/route.ts';
import type { GuardRailsService } from './guard-rails.service.ts';

export function bindGuardRailRoutes(router: Router, guardRails: GuardRailsService): void {
  router.bind(getGuardRails, async () => reply(200, { data: await guardRails.read() }));

  router.bind(updateGuardRails, async ({ actor, body }) =>
    reply(200, { data: await guardRails.save(actor, body) }),
  );
}
