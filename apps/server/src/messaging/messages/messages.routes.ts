import { markRead } from '@stagedoor/contract/inbox/conversations';
import { listMessages, sendMessage, unsendMessage } from '@stagedoor/contract/messaging/messages';
import type { Core } from '../../domain.ts';
import { invalidRequest } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { listFrom } from './message-span.service.ts';
import type { MessagesService } from './messages.service.ts';

export function bindMessageRoutes(
  router: Router,
  { db, links }: Core,
  messages: MessagesService,
): void {
  router.bind(listMessages, async ({ actor, params, query }) => {
    const { before, after, around, limit } = query;
    if ([before, after, around].filter((one) => one !== undefined).length > 1) {
      throw invalidRequest({ around: 'Only one of before, after and around can be given' });
    }
    const from = around ?? after;
    const page =
      from === undefined
        ? // A page before a message always has something newer: that message.
          {
            ...(await messages.listForStaff(actor, params.id, before, limit)),
            hasNewer: before !== undefined,
          }
        : await listFrom({ db, links }, actor, {
            conversationId: params.id,
            messageId: from,
            limit: around === undefined ? limit : null,
          });
    return reply(200, {
      data: page.messages.toReversed(),
      has_more: page.hasMore,
      has_older: page.hasMore,
      has_newer: page.hasNewer,
      version: page.version,
    });
  });

  router.bind(sendMessage, async ({ actor, body, headers }) => {
    const key = headers['idempotency-key'] ?? null;
    const { message, created } = await messages.sendAsCreator(actor, body, key);
    return reply(created ? 201 : 200, { data: message });
  });

  router.bind(unsendMessage, async ({ actor, params }) =>
    reply(200, { data: await messages.unsend(actor, params.id) }),
  );

  router.bind(markRead, async ({ actor, params, body }) =>
    reply(200, { data: await messages.readByStaff(actor, params.id, body?.up_to_message_id) }),
  );
}
