import * as api from '@stagedoor/contract/platform/webhooks';
import { type Router, reply } from '../../http/route.ts';
import type { WebhooksService } from './webhooks.service.ts';

export function bindWebhookRoutes(router: Router, webhooks: WebhooksService): void {
  router.bind(api.getWebhook, async () => reply(200, { data: await webhooks.status() }));

  router.bind(api.testWebhook, async ({ actor }) =>
    reply(201, { data: await webhooks.test(actor) }),
  );

  router.bind(api.listDeliveries, async ({ query }) =>
    reply(200, await webhooks.list(query.state, query.cursor, query.limit)),
  );

  router.bind(api.getDelivery, async ({ params }) =>
    reply(200, { data: await webhooks.get(params.id) }),
  );

  router.bind(api.redeliver, async ({ actor, params }) =>
    reply(200, { data: await webhooks.redeliver(actor, params.id) }),
  );
}
