import type { Attachment } from '@stagedoor/contract/media';
import { ATTACHMENT_PLACEHOLDER, type Message } from '@stagedoor/contract/messages';
import type { ReplyTarget } from './reply-target.ts';

/** What staff's own side is called: they all write as the creator. */
export const CREATOR_NAME = 'Creator';

/** A quote shows so many characters. */
export const QUOTE_CHARS = 50;

/** What an attachment is called where it is not shown. */
export const STAND_INS: Record<Attachment['type'], string> = {
  image: '📷 Photo',
  video: '🎥 Video',
  audio: '🎵 Audio',
  file: '📎 Attachment',
};

/** The text of a message as it is shown; nothing for one that is only its attachments. */
export function shownText(content: string): string {
  return content === ATTACHMENT_PLACEHOLDER || content.trim() === '' ? '' : content;
}

/** What a quote shows of a message: the beginning of its text, or what stands for its attachment. */
export function quotePreview({
  content,
  attachments,
}: Pick<Message, 'content' | 'attachments'>): string {
  const text = shownText(content).trim();
  const [attachment] = attachments;
  if (text === '') return attachment ? STAND_INS[attachment.type] : '';
  const characters = Array.from(text);
  return characters.length > QUOTE_CHARS ? `${characters.slice(0, QUOTE_CHARS).join('')}...` : text;
}

/** What the reply bar needs to know of the message that is answered. */
export function replyTargetOf(message: Message, fanName: string): ReplyTarget {
  return {
    id: message.id,
    sender: message.author === null ? fanName : CREATOR_NAME,
    preview: quotePreview(message),
  };
}
