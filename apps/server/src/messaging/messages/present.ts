import type {
  FanVisibleMessage,
  Message,
  PlatformMessage,
  QuotedMessage,
  Reaction,
} from '@stagedoor/contract/messaging/messages';
import type { FanRef } from '../../fans/fans/fans.store.ts';
import type { MediaLinks, StaffAudience } from '../../media/media-links.ts';
import {
  type AttachmentRecord,
  attachmentForFan,
  attachmentForStaff,
} from '../../media/present-attachment.ts';

/** A message as stored. Links to its files are made for each viewer. */
export interface MessageRecord extends Omit<Message, 'attachments' | 'reply_to'> {
  readonly attachments: readonly AttachmentRecord[];
  readonly reply_to: QuoteRecord | null;
}

export interface QuoteRecord extends Omit<QuotedMessage, 'attachments'> {
  readonly attachments: readonly AttachmentRecord[];
}

/** @param audience the session for which the file links are made, or all staff */
export function presentForStaff(
  message: MessageRecord,
  audience: StaffAudience,
  links: MediaLinks,
): Message {
  const present = (attachment: AttachmentRecord) => attachmentForStaff(attachment, audience, links);
  const { reply_to: quote } = message;
  return {
    ...message,
    attachments: message.attachments.map(present),
    reply_to: quote && { ...quote, attachments: quote.attachments.map(present) },
  };
}

/** Converts a message to the form that the fan client or the platform receives. */
export type Presentation<M> = (message: MessageRecord, fan: FanRef, links: MediaLinks) => M;

/** Copies only the fields that a fan may see, so that no staff data leaks. */
export function presentForFan(
  message: MessageRecord,
  fan: FanRef,
  links: MediaLinks,
): FanVisibleMessage {
  const present = (messageId: string) => (attachment: AttachmentRecord) =>
    attachmentForFan(attachment, { fanId: fan.id, messageId, attachmentId: attachment.id }, links);
  const { reply_to: quote } = message;
  return {
    id: message.id,
    conversation_id: message.conversation_id,
    seq: message.seq,
    sender_id: message.sender_id,
    recipient_id: message.recipient_id,
    content: message.content,
    attachments: message.attachments.map(present(message.id)),
    created_at: message.created_at,
    read_at: message.read_at,
    reply_to_message_id: message.reply_to_message_id,
    reply_to: quote && {
      id: quote.id,
      content: quote.content,
      created_at: quote.created_at,
      attachments: quote.attachments.map(present(quote.id)),
      sender: quote.sender,
      is_unsent: quote.is_unsent,
    },
    reactions: reactionsForFan(message.reactions, fan),
  };
}

/** Returns the message as the fan sees it, with the fields that only the platform gets. */
export const presentForPlatform: Presentation<PlatformMessage> = (message, fan, links) => ({
  ...presentForFan(message, fan, links),
  campaign_id: message.campaign_id,
});

/** Merges the admins' reactions: to the fan, every admin is the creator, so the same emoji from several admins shows once. */
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
