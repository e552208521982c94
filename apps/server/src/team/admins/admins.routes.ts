import * as api from '@stagedoor/contract/team/admins';
import type { Core } from '../../domain.ts';
import { type Router, reply } from '../../http/route.ts';
import type { AdminsService } from './admins.service.ts';
import { listAdmins, presentRecord } from './admins.store.ts';
import { listFruits } from './codenames.store.ts';

export function bindAdminRoutes(router: Router, { db }: Core, admins: AdminsService): void {
  router.bind(api.listAdmins, async () =>
    reply(200, { data: (await listAdmins(db)).map(presentRecord) }),
  );

  router.bind(api.addAdmin, async ({ actor, body }) => {
    const { admin, restored } = await admins.add(actor, body);
    return reply(restored ? 200 : 201, { data: presentRecord(admin) });
  });

  router.bind(api.updateAdminPermissions, async ({ actor, params, body }) => {
    const admin = await admins.setMessagePrivileges(actor, params.id, body.can_manage_messages);
    return reply(200, { data: presentRecord(admin) });
  });

  router.bind(api.updateAdminRole, async ({ actor, params, body }) =>
    reply(200, { data: presentRecord(await admins.setRole(actor, params.id, body.role)) }),
  );

  router.bind(api.updateAdminCodename, async ({ actor, params, body }) =>
    reply(200, { data: presentRecord(await admins.setCodename(actor, params.id, body.codename)) }),
  );

  router.bind(api.updateAdminColor, async ({ actor, params, body }) => {
    const admin = await admins.setColor(actor, params.id, body.display_color);
    return reply(200, { data: presentRecord(admin) });
  });

  router.bind(api.removeAdmin, async ({ actor, params }) =>
    reply(200, { data: presentRecord(await admins.remove(actor, params.id)) }),
  );

  router.bind(api.listFruits, async () => reply(200, { data: await listFruits(db.kysely) }));
}
