import type { FanHome, PaymentProvider } from '@stagedoor/contract/platform/fan-app';
import type { Core } from '../../domain.ts';
import { unauthorized } from '../../errors.ts';
import type { FanRef } from '../../fans/fans/fans.store.ts';
import { findConversation } from '../../inbox/conversations/conversations.store.ts';
import type { MessagesService } from '../../messaging/messages/messages.service.ts';
import { findTipsOf } from '../../selling/tips/tips.store.ts';
import { findCreator, presentCreator } from '../../team/creator/creator.store.ts';

export interface FanHomeDependencies extends Core {
  readonly messages: Pick<MessagesService, 'unreadByFan'>;
  readonly payment: PaymentProvider;
}

/**
 * Returns everything that the fan client shows besides the messages. Copies the fan's data field by field, so that no other field
 * leaks.
 * @throws AppError 401 for a fan who was erased since the session was checked
 */
export async function readFanHome(deps: FanHomeDependencies, fan: FanRef): Promise<FanHome> {
  const { db, messages, payment, publicUrl } = deps;
  const [conversation, creator, unread, tips] = await Promise.all([
    findConversation(db, fan.conversation_id),
    findCreator(db.kysely),
    messages.unreadByFan(fan),
    findTipsOf(db, fan.conversation_id),
  ]);
  if (conversation === null) throw unauthorized();
  const { id, first_name, subscription } = conversation.fan;
  return {
    fan: { id, first_name },
    conversation_id: conversation.id,
    creator: presentCreator(creator, publicUrl),
    unread_count: unread,
    subscription,
    payment,
    tips,
  };
}
