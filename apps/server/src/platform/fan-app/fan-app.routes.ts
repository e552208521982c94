import * as api from '@stagedoor/contract/platform/fan-app';
import { type CallLimit, type Router, reply } from '../../http/route.ts';
import { receiveFanFiles } from '../../media/uploads.service.ts';
import type { MessagesService } from '../../messaging/messages/messages.service.ts';
import { presentForFan } from '../../messaging/messages/present.ts';
import { type FanHomeDependencies, readFanHome } from './fan-home.ts';
import { createUploadAllowance } from './upload-allowance.ts';

interface FanAppRoutes extends FanHomeDependencies {
  readonly messages: MessagesService;
}

/** Returns a limit of a fan's requests per minute: above what anyone types or taps, and low enough to protect the inbox. */
const aMinute = (max: number): CallLimit => ({ max, timeWindow: 60_000 });
const SENDS = aMinute(60);
const UPLOADS = aMinute(30);
const REACTIONS = aMinute(120);

/** Binds the fan client's requests about the fan's own conversation. The session, not the request, identifies the fan. */
export function bindFanAppRoutes(router: Router, deps: FanAppRoutes): void {
  const { messages, links } = deps;
  const allowUpload = createUploadAllowance(deps.db);

  router.bind(api.getFanHome, async ({ actor }) =>
    reply(200, { data: await readFanHome(deps, actor.fan) }),
  );

  router.bind(api.listOwnMessages, async ({ actor, query }) => {
    const page = await messages.listForFan(
      presentForFan,
      actor.fan,
      query.before,
      query.limit,
      true,
    );
    return reply(200, {
      data: page.messages.toReversed(),
      unsent: page.unsent,
      has_more: page.hasMore,
      version: page.version,
    });
  });

  router.limited({ perFan: SENDS }).bind(api.sendOwnMessage, async ({ actor, body }) => {
    const { message, created } = await messages.sendAsFan(presentForFan, actor.fan, body);
    return reply(created ? 201 : 200, { data: message });
  });

  router.limited({ perFan: UPLOADS }).bind(api.uploadOwnFiles, async ({ actor, parts }) => {
    const attachments = await allowUpload(actor.fan, parts.declaredBytes, (maxBytes) =>
      receiveFanFiles(deps, links, parts, actor.fan, maxBytes),
    );
    return reply(201, { attachments });
  });

  router.bind(api.readOwnMessages, async ({ actor, body }) =>
    reply(200, { data: await messages.readByFan(actor.fan, body.up_to_message_id) }),
  );

  router
    .limited({ perFan: REACTIONS })
    .bind(api.reactAsFan, async ({ actor, body }) =>
      reply(200, { data: await messages.reactAsFan(actor.fan, body.message_id, body.emoji) }),
    );
}
