import * as api from '@stagedoor/contract/platform/platform';
import type { Core } from '../../domain.ts';
import { fanNotFound } from '../../errors.ts';
import { requireFan, saveFan } from '../../fans/fans/fans.store.ts';
import { type Router, reply } from '../../http/route.ts';
import { receiveFanFiles } from '../../media/uploads.service.ts';
import type { MessagesService } from '../../messaging/messages/messages.service.ts';
import { presentForPlatform } from '../../messaging/messages/present.ts';
import { findCreator, presentCreator } from '../../team/creator/creator.store.ts';
import { eraseFan as erase } from './erase-fan.ts';

interface PlatformRoutes extends Core {
  readonly messages: MessagesService;
  /** Deletes unreferenced files; also resolves if that has to wait for a later sweep. */
  readonly sweepSoon: () => Promise<void>;
}

export function bindPlatformRoutes(router: Router, routes: PlatformRoutes): void {
  const { db, storage, pictures, messages, publish, outbox, conversationChanged } = routes;
  const { links, publicUrl, sweepSoon } = routes;

  router.bind(api.putFan, async ({ params, body }) => {
    const { fan, created } = await saveFan(db, conversationChanged, params.fan, body);
    return reply(created ? 201 : 200, { data: fan });
  });

  router.bind(api.postFanMessage, async ({ params, body }) => {
    const fan = await requireFan(db, params.fan);
    const { message, created } = await messages.sendAsFan(presentForPlatform, fan, body);
    return reply(created ? 201 : 200, { data: message });
  });

  router.bind(api.uploadFanFiles, async ({ params, parts }) => {
    const fan = await requireFan(db, params.fan);
    const attachments = await receiveFanFiles({ db, storage, pictures }, links, parts, fan);
    return reply(201, { attachments });
  });

  router.bind(api.listFanMessages, async ({ params, query }) => {
    const fan = await requireFan(db, params.fan);
    const page = await messages.listForFan(
      presentForPlatform,
      fan,
      query.before,
      query.limit,
      false,
    );
    return reply(200, { data: page.messages });
  });

  router.bind(api.postFanRead, async ({ params, body }) => {
    const fan = await requireFan(db, params.fan);
    return reply(200, { data: await messages.readByFan(fan, body.up_to_message_id) });
  });

  router.bind(api.postFanReaction, async ({ params, body }) => {
    const fan = await requireFan(db, params.fan);
    const data = await messages.reactAsFan(fan, body.message_id, body.emoji);
    return reply(200, { data });
  });

  router.bind(api.eraseFan, async ({ params }) => {
    const erased = await erase(db, params.fan);
    if (erased === null) throw fanNotFound();
    const { conversationId: conversation_id, outboxId } = erased;
    await outbox.emit([outboxId], () => publish.conversationRemoved({ conversation_id }));
    await sweepSoon();
    return reply(204, null);
  });

  router.bind(api.getCreator, async () => {
    return reply(200, { data: presentCreator(await findCreator(db.kysely), publicUrl) });
  });
}
