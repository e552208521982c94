import type { FanVisibleMessage, Message, Reaction } from '@stagedoor/contract/messages';
import {
  getCreator,
  listFanMessages,
  postFanMessage,
  postFanReaction,
  postFanRead,
  putFan,
} from '@stagedoor/contract/platform';
import type { Database } from '../../db/database.ts';
import { fanNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { findConversation } from '../conversations/conversations.store.ts';
import { type FanRef, findCreator, findFan, saveFan } from '../fans/fans.store.ts';
import type { MessagesService } from '../messages/messages.service.ts';

interface PlatformRoutes {
  readonly db: Database;
  readonly messages: MessagesService;
  readonly publish: Publisher;
}

export function bindPlatformRoutes(
  router: Router,
  { db, messages, publish }: PlatformRoutes,
): void {
  const fanOf = async (externalId: string): Promise<FanRef> => {
    const fan = await findFan(db, externalId);
    if (fan === null) throw fanNotFound();
    return fan;
  };

  router.bind(putFan, async ({ params, body }) => {
    const { fan, created } = await saveFan(db, params.fan, body);
    const conversation = await findConversation(db, fan.conversation_id);
    if (conversation !== null) publish.conversationUpdated({ conversation });
    return reply(created ? 201 : 200, { data: fan });
  });

  router.bind(postFanMessage, async ({ params, body }) => {
    const fan = await fanOf(params.fan);
    const { message, created } = await messages.sendAsFan(fan, body);
    return reply(created ? 201 : 200, { data: forFan(message, fan) });
  });

  router.bind(listFanMessages, async ({ params, query }) => {
    const fan = await fanOf(params.fan);
    const page = await messages.list(fan.conversation_id, query.before, query.limit);
    return reply(200, { data: page.messages.map((message) => forFan(message, fan)) });
  });

  router.bind(postFanRead, async ({ params, body }) => {
    const fan = await fanOf(params.fan);
    return reply(200, { data: await messages.readByFan(fan, body.up_to_message_id) });
  });

  router.bind(postFanReaction, async ({ params, body }) => {
    const fan = await fanOf(params.fan);
    const data = await messages.reactAsFan(fan, body.message_id, body.emoji);
    return reply(200, { data });
  });

  router.bind(getCreator, async () => {
    const creator = await findCreator(db);
    return reply(200, { data: { ...creator, avatar_url: null } });
  });
}

/** A message with nothing in it that only staff may know, field by field. */
function forFan(message: Message, fan: FanRef): FanVisibleMessage {
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    seq: message.seq,
    sender_id: message.sender_id,
    recipient_id: message.recipient_id,
    content: message.content,
    attachments: message.attachments,
    created_at: message.created_at,
    read_at: message.read_at,
    reply_to_message_id: message.reply_to_message_id,
    reply_to: message.reply_to,
    reactions: reactionsForFan(message.reactions, fan),
  };
}

/** To the fan every admin is the creator, who reacts with an emoji once. */
function reactionsForFan(reactions: readonly Reaction[], fan: FanRef): Reaction[] {
  const seen = new Set<string>();
  return reactions.flatMap((reaction) => {
    const user_id = reaction.user_id === fan.id ? fan.id : fan.creator_id;
    const key = `${user_id} ${reaction.emoji}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...reaction, user_id }];
  });
}
