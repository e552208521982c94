import { markRead } from '@stagedoor/contract/conversations';
import { listMessages, sendMessage } from '@stagedoor/contract/messages';
import { type Router, reply } from '../../http/route.ts';
import type { MessagesService } from './messages.service.ts';

export function bindMessageRoutes(
  router: Router,
  { messages }: { messages: MessagesService },
): void {
  router.bind(listMessages, async ({ params, query }) => {
    const page = await messages.list(params.id, query.before, query.limit);
    return reply(200, {
      data: page.messages.toReversed(),
      has_more: page.hasMore,
      version: page.version,
    });
  });

  router.bind(sendMessage, async ({ actor, body, headers }) => {
    const key = headers['idempotency-key'] ?? null;
    const { message, created } = await messages.sendAsCreator(actor, body, key);
    return reply(created ? 201 : 200, { data: message });
  });

  router.bind(markRead, async ({ actor, params, body }) =>
    reply(200, { data: await messages.readByStaff(actor, params.id, body?.up_to_message_id) }),
  );
}
