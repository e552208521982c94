import {
  acceptHandover,
  getShift,
  handOver,
  listHandovers,
} from '@stagedoor/contract/messaging/handovers';
import { type Router, reply } from '../../http/route.ts';
import type { HandoversService } from './handovers.service.ts';

export function bindHandoverRoutes(
  router: Router,
  { handovers }: { readonly handovers: HandoversService },
): void {
  router.bind(getShift, async ({ actor }) => reply(200, { data: await handovers.shift(actor) }));

  router.bind(handOver, async ({ actor, body }) => {
    const { handover, created } = await handovers.handOver(actor, body);
    return created ? reply(201, { data: handover }) : reply(200, { data: handover });
  });

  router.bind(listHandovers, async ({ actor }) =>
    reply(200, { data: await handovers.list(actor) }),
  );

  router.bind(acceptHandover, async ({ actor, params }) =>
    reply(200, { data: await handovers.accept(actor, params.id) }),
  );
}
