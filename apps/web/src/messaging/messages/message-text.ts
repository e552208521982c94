import type { Attachment } from '@stagedoor/contract/media';
import { ATTACHMENT_PLACEHOLDER, type Message } from '@stagedoor/contract/messaging/messages';
import { t } from '../../lib/text/i18n.ts';
import type { ReplyTarget } from './reply-target.ts';

/** What staff's own side is called: they all write as the creator. Drafts hold it, for any language. */
export const CREATOR_NAME = 'Creator';

/** A quote shows so many characters. */
export const QUOTE_CHARS = 50;

/** What an attachment is called where it is not shown. Drafts hold it, for any language. */
export const STAND_INS: Record<Attachment['type'], string> = {
  image: '📷 Photo',
  video: '🎥 Video',
  audio: '🎵 Audio',
  file: '📎 Attachment',
};

const SHOWN_STAND_INS: Readonly<Record<string, string>> = {
  [STAND_INS.image]: t('📷 Photo'),
  [STAND_INS.video]: t('🎥 Video'),
  [STAND_INS.audio]: t('🎵 Audio'),
  [STAND_INS.file]: t('📎 Attachment'),
};

/** What a quote says, in the language that is shown. */
export function shownPreview(preview: string): string {
  return SHOWN_STAND_INS[preview] ?? preview;
}

/** A message that is answered, in the language that is shown. */
export function shownTarget({ id, sender, preview }: ReplyTarget): ReplyTarget {
  return {
    id,
    sender: sender === CREATOR_NAME ? t('Creator') : sender,
    preview: shownPreview(preview),
  };
}

/** The text of a message as it is shown; nothing for one that is only its attachments. */
export function shownText(content: string): string {
  return content === ATTACHMENT_PLACEHOLDER || content.trim() === '' ? '' : content;
}

/** What is said of a message: its text, or what stands for its attachment, in the language that is shown. */
export function textOrStandIn({
  content,
  attachments,
}: Pick<Message, 'content' | 'attachments'>): string {
  const [attachment] = attachments;
  return shownText(content) || (attachment ? shownPreview(STAND_INS[attachment.type]) : '');
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
