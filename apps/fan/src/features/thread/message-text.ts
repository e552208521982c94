import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import {
  ATTACHMENT_PLACEHOLDER,
  type FanVisibleMessage,
} from '@stagedoor/contract/messaging/messages';
import type { ReplyTarget } from '../composer/state.ts';

/** Of a text that the browser keeps. */
const KEPT_CHARS = 1_000;
/** A quote shows so many characters. */
const QUOTE_CHARS = 80;

const STAND_INS: Record<FanVisibleAttachment['type'], string> = {
  image: '📷 Photo',
  video: '🎥 Video',
  audio: '🎵 Audio',
  file: '📎 Attachment',
};

/** The text of a message as it is shown; nothing for one that is only its attachments. */
export function shownText(content: string): string {
  return content === ATTACHMENT_PLACEHOLDER || content.trim() === '' ? '' : content;
}

interface Quotable {
  content: string;
  attachments: readonly FanVisibleAttachment[];
}

/** The beginning of a message's text, or what stands for its attachment. */
export function previewOf({ content, attachments }: Quotable): string {
  const text = shownText(content).trim();
  const [attachment] = attachments;
  if (text === '') {
    if (!attachment) return '';
    return attachment.locked ? `🔒 ${attachment.title ?? 'Locked'}` : STAND_INS[attachment.type];
  }
  const characters = Array.from(text);
  return characters.length > QUOTE_CHARS ? `${characters.slice(0, QUOTE_CHARS).join('')}...` : text;
}

/** What the reply bar needs to know of the message that is answered. */
export function replyTargetOf(message: FanVisibleMessage, sender: string): ReplyTarget {
  return { id: message.id, sender, preview: previewOf(message) };
}

const EMOJI_ONLY =
  /^(?:\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})*\s*){1,3}$/u;

/** Whether a text is nothing but one to three emoji, which are shown large. */
export function isEmojiOnly(text: string): boolean {
  return EMOJI_ONLY.test(text);
}

/** What the browser may keep of a message: its text, and nothing that can be opened. */
export function textOnly(message: FanVisibleMessage): FanVisibleMessage {
  const text = message.attachments.length > 0 ? withStandIn(message) : message.content;
  return { ...message, content: text.slice(0, KEPT_CHARS), attachments: [], reply_to: null };
}

function withStandIn({ content, attachments }: FanVisibleMessage): string {
  const standIn = previewOf({ content: '', attachments });
  const text = shownText(content);
  return text === '' ? standIn : `${standIn}\n${text}`;
}
