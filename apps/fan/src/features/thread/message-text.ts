import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import {
  ATTACHMENT_PLACEHOLDER,
  type FanVisibleMessage,
} from '@stagedoor/contract/messaging/messages';
import { t } from '../../lib/i18n.ts';
import type { ReplyTarget } from '../composer/state.ts';

/** The maximum number of characters of a message that the browser stores. */
const KEPT_CHARS = 1_000;
/** The number of characters shown in a quote. */
const QUOTE_CHARS = 80;

const STAND_INS: Record<FanVisibleAttachment['type'], string> = {
  image: t('📷 Photo'),
  video: t('🎥 Video'),
  audio: t('🎵 Audio'),
  file: t('📎 Attachment'),
};

/** Returns the text of a message to show; empty if it has only attachments. */
export function shownText(content: string): string {
  return content === ATTACHMENT_PLACEHOLDER || content.trim() === '' ? '' : content;
}

interface Quotable {
  content: string;
  attachments: readonly FanVisibleAttachment[];
  /** Set for a quoted message that was unsent. */
  is_unsent?: boolean;
}

/** Returns the beginning of a message's text, or a stand-in for its attachment. */
export function previewOf({ content, attachments, is_unsent }: Quotable): string {
  if (is_unsent) return t('Message unsent');
  const text = shownText(content).trim();
  const [attachment] = attachments;
  if (text === '') {
    if (!attachment) return '';
    return attachment.locked ? `🔒 ${attachment.title ?? t('Locked')}` : STAND_INS[attachment.type];
  }
  const characters = Array.from(text);
  return characters.length > QUOTE_CHARS ? `${characters.slice(0, QUOTE_CHARS).join('')}...` : text;
}

/** Returns a message's id, sender and preview for the reply bar. */
export function replyTargetOf(message: FanVisibleMessage, sender: string): ReplyTarget {
  return { id: message.id, sender, preview: previewOf(message) };
}

const EMOJI_ONLY =
  /^(?:\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})*\s*){1,3}$/u;

/** Checks whether a text is only one to three emoji, which are shown large. */
export function isEmojiOnly(text: string): boolean {
  return EMOJI_ONLY.test(text);
}

/** Returns the part of a message that may be stored: its text, without attachments. */
export function textOnly(message: FanVisibleMessage): FanVisibleMessage {
  const text = message.attachments.length > 0 ? withStandIn(message) : message.content;
  return { ...message, content: text.slice(0, KEPT_CHARS), attachments: [], reply_to: null };
}

function withStandIn({ content, attachments }: FanVisibleMessage): string {
  const standIn = previewOf({ content: '', attachments });
  const text = shownText(content);
  return text === '' ? standIn : `${standIn}\n${text}`;
}
