import { bulk as bulkEndpoint } from '@stagedoor/contract/inbox/bulk';
import * as api from '@stagedoor/contract/inbox/queue';
import type { Database } from '../../db/database.ts';
import { type Router, reply } from '../../http/route.ts';
import type { SegmentFilter } from '../conversations/conversations.routes.ts';
import type { BulkService } from './bulk.service.ts';
import type { QueueService } from './queue.service.ts';

interface QueueRoutes {
  readonly db: Database;
  readonly queue: QueueService;
  readonly bulk: BulkService;
  readonly segmentFilter: SegmentFilter;
}

export function bindQueueRoutes(
  router: Router,
  { db, queue, bulk, segmentFilter }: QueueRoutes,
): void {
  router.bind(bulkEndpoint, async ({ actor, body }) =>
    reply(200, { data: await bulk.run(actor, body.ids, body.action) }),
  );

  router.bind(api.nextConversation, async ({ actor, body }) => {
    const filter = body?.segment === undefined ? null : await segmentFilter(db, body.segment);
    return reply(200, await queue.next(actor, body?.skip ?? [], filter));
  });

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
