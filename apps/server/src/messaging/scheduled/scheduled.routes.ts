import * as api from '@stagedoor/contract/messaging/scheduled';
import { type Router, reply } from '../../http/route.ts';
import type { ScheduledService } from './scheduled.service.ts';

export function bindScheduledRoutes(router: Router, scheduled: ScheduledService): void {
  router.bind(api.listScheduledIn, async ({ params }) =>
    reply(200, { data: await scheduled.listIn(params.id) }),
  );

  router.bind(api.listScheduled, async ({ actor, query }) =>
    reply(200, { data: await scheduled.list(actor, query.scope) }),
  );

  router.bind(api.scheduleMessage, async ({ actor, params, headers, body }) => {
    const key = headers['idempotency-key'] ?? null;
    const made = await scheduled.schedule(actor, params.id, body, key);
    return reply(made.created ? 201 : 200, { data: made.scheduled });
  });

  router.bind(api.updateScheduled, async ({ actor, params, body }) =>
    reply(200, { data: await scheduled.update(actor, params.id, body) }),
  );

  router.bind(api.cancelScheduled, async ({ actor, params }) => {
    await scheduled.cancel(actor, params.id);
    return reply(200, { data: { cancelled: true } });
  });

  router.bind(api.sendScheduledNow, async ({ actor, params }) =>
    reply(200, { data: { message_id: await scheduled.sendNow(actor, params.id) } }),
  );
}
