import * as api from '@stagedoor/contract/messaging/handovers';
import { type Router, reply } from '../../http/route.ts';
import type { HandoversService } from './handovers.service.ts';

export function bindHandoverRoutes(router: Router, handovers: HandoversService): void {
  router.bind(api.getShift, async ({ actor }) =>
    reply(200, { data: await handovers.shift(actor) }),
  );

  router.bind(api.handOver, async ({ actor, body }) => {
    const { handover, created } = await handovers.handOver(actor, body);
    return created ? reply(201, { data: handover }) : reply(200, { data: handover });
  });

  router.bind(api.listHandovers, async ({ actor }) =>
    reply(200, { data: await handovers.list(actor) }),
  );

  router.bind(api.acceptHandover, async ({ actor, params }) =>
    reply(200, { data: await handovers.accept(actor, params.id) }),
  );
}
