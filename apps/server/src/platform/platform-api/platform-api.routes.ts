import * as api from '@stagedoor/contract/platform/platform';
import type { Core } from '../../domain.ts';
import { AppError, fanNotFound } from '../../errors.ts';
import { type FanRef, requireFan, saveFan } from '../../fans/fans/fans.store.ts';
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

  /** Runs a call for a fan. @throws AppError 404 `fan_not_found`, also for a fan who is erased meanwhile */
  async function forFan<T>(externalId: string, call: (fan: FanRef) => Promise<T>): Promise<T> {
    const fan = await requireFan(db, externalId);
    return call(fan).catch((error: unknown) => {
      const isErased = error instanceof AppError && error.code === 'conversation_not_found';
      throw isErased ? fanNotFound() : error;
    });
  }

  router.bind(api.putFan, async ({ params, body }) => {
    const { fan, created } = await saveFan(db, conversationChanged, params.fan, body);
    return reply(created ? 201 : 200, { data: fan });
  });

  router.bind(api.postFanMessage, async ({ params, body }) => {
    const { message, created } = await forFan(params.fan, (fan) =>
      messages.sendAsFan(presentForPlatform, fan, body),
    );
    return reply(created ? 201 : 200, { data: message });
  });

  router.bind(api.uploadFanFiles, async ({ params, parts }) => {
    const attachments = await forFan(params.fan, (fan) =>
      receiveFanFiles({ db, storage, pictures }, links, parts, fan),
    );
    return reply(201, { attachments });
  });

  router.bind(api.listFanMessages, async ({ params, query }) => {
    const page = await forFan(params.fan, (fan) =>
      messages.listForFan(presentForPlatform, fan, query.before, query.limit, false),
    );
    return reply(200, { data: page.messages });
  });

  router.bind(api.postFanRead, async ({ params, body }) => {
    const data = await forFan(params.fan, (fan) => messages.readByFan(fan, body.up_to_message_id));
    return reply(200, { data });
  });

  router.bind(api.postFanReaction, async ({ params, body }) => {
    const data = await forFan(params.fan, (fan) =>
      messages.reactAsFan(fan, body.message_id, body.emoji),
    );
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
