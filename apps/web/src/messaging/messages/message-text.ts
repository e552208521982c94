import {
  ATTACHMENT_LABELS,
  ATTACHMENT_PLACEHOLDER,
  type Message,
  type Unsent,
} from '@stagedoor/contract/messaging/messages';
import { t } from '../../lib/text/i18n.ts';
import type { ReplyTarget } from './reply-target.ts';

/** The name of staff's side in the conversation. Stored in drafts, so it is not translated. */
export const CREATOR_NAME = 'Creator';

/** The maximum length of a quote in characters. */
const QUOTE_CHARS = 50;

const SHOWN_LABELS: Readonly<Record<string, string>> = {
  [ATTACHMENT_LABELS.image]: t('📷 Photo'),
  [ATTACHMENT_LABELS.video]: t('🎥 Video'),
  [ATTACHMENT_LABELS.audio]: t('🎵 Audio'),
  [ATTACHMENT_LABELS.file]: t('📎 Attachment'),
};

/** Returns a quote's text in the display language. */
export function shownPreview(preview: string): string {
  return SHOWN_LABELS[preview] ?? preview;
}

/** Returns the message being replied to, in the display language. */
export function shownTarget({ id, sender, preview }: ReplyTarget): ReplyTarget {
  return {
    id,
    sender: sender === CREATOR_NAME ? t('Creator') : sender,
    preview: shownPreview(preview),
  };
}

/** Returns the text shown in place of an unsent message. @param myId the viewer's id; null if several people see the text */
export const unsentText = ({ by }: Unsent, myId: string | null): string =>
  by.id === myId ? t('You unsent a message') : t('{name} unsent a message', { name: by.codename });

/** Returns the text of a message, or '' if it only has attachments. */
export function shownText(content: string): string {
  return content === ATTACHMENT_PLACEHOLDER || content.trim() === '' ? '' : content;
}

/** Returns a message's text or its attachment's stand-in, in the display language. */
export function textOrStandIn({
  content,
  attachments,
}: Pick<Message, 'content' | 'attachments'>): string {
  const [attachment] = attachments;
  return shownText(content) || (attachment ? shownPreview(ATTACHMENT_LABELS[attachment.type]) : '');
}

/** Returns the preview of a quoted message: the beginning of its text, or its attachment's stand-in. */
export function quotePreview({
  content,
  attachments,
  is_unsent,
}: Pick<Message, 'content' | 'attachments'> & { is_unsent?: boolean }): string {
  if (is_unsent) return t('Message unsent');
  const text = shownText(content).trim();
  const [attachment] = attachments;
  if (text === '') return attachment ? ATTACHMENT_LABELS[attachment.type] : '';
  const characters = Array.from(text);
  return characters.length > QUOTE_CHARS ? `${characters.slice(0, QUOTE_CHARS).join('')}...` : text;
}

/** Returns the data that the reply bar shows about a message. */
export function replyTargetOf(message: Message, fanName: string): ReplyTarget {
  return {
    id: message.id,
    sender: message.author === null ? fanName : CREATOR_NAME,
    preview: quotePreview(message),
  };
}
