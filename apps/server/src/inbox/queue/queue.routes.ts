import { bulk as bulkEndpoint } from '@stagedoor/contract/inbox/bulk';
import * as api from '@stagedoor/contract/inbox/queue';
import { type Router, reply } from '../../http/route.ts';
import type { BulkService } from './bulk.service.ts';
import type { QueueService } from './queue.service.ts';

export function bindQueueRoutes(
  router: Router,
  { queue, bulk }: { readonly queue: QueueService; readonly bulk: BulkService },
): void {
  router.bind(bulkEndpoint, async ({ actor, body }) =>
    reply(200, { data: await bulk.run(actor, body.ids, body.action) }),
  );

  router.bind(api.nextConversation, async ({ actor, body }) =>
    reply(200, await queue.next(actor, body?.skip ?? [])),
  );

  router.bind(api.markUnread, async ({ actor, params }) =>
    reply(200, { data: await queue.markUnread(actor, params.id) }),
  );

  router.bind(api.snooze, async ({ actor, params, body }) =>
    reply(200, { data: await queue.snooze(actor, params.id, body.until) }),
  );

  router.bind(api.unsnooze, async ({ actor, params }) =>
    reply(200, { data: await queue.unsnooze(actor, params.id) }),
  );

  router.bind(api.listPins, async ({ actor }) => reply(200, { data: await queue.listPins(actor) }));

  router.bind(api.pin, async ({ actor, params }) =>
    reply(200, { data: await queue.pin(actor, params.id) }),
  );

  router.bind(api.unpin, async ({ actor, params }) =>
    reply(200, { data: await queue.unpin(actor, params.id) }),
  );
}
