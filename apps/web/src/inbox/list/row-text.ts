import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import { t } from '../../lib/text/i18n.ts';

/** Returns a row's text for the last message. If the message has no text, says that it has an attachment. */
export function previewOf({
  last_message_content: content,
  last_message_at,
  last_seq,
}: Conversation): string {
  if (content === null) {
    // If `last_seq` is 0, `last_message_at` is when the fan joined. Otherwise there were messages, now unsent or purged.
    return last_message_at === null || last_seq > 0
      ? t('No messages yet')
      : t('No messages yet · joined by invitation');
  }
  return content.trim() === '' || content === ATTACHMENT_PLACEHOLDER ? t('📎 Attachment') : content;
}

/**
 * Returns a row's text for the last message, with the name of the staff member who sent it.
 * @param codenames by staff member's id; null for the viewer
 */
export function signedPreviewOf(
  conversation: Conversation,
  codenames: ReadonlyMap<string, string | null>,
): string {
  const text = previewOf(conversation);
  const { last_message_by: sender, last_message_content } = conversation;
  if (sender === null || last_message_content === null) return text;
  const name = codenames.get(sender);
  return name === null
    ? t('You: {text}', { text })
    : t('{name}: {text}', { name: name ?? t('Staff'), text });
}

/** Returns the excerpt of a search hit; null if the match is in the name or the last message. */
export function excerptOf(conversation: Conversation | SearchHit): string | null {
  return 'match' in conversation ? (conversation.match?.excerpt ?? null) : null;
}

/** Returns in words what a row's badges, colors and icons show, such as '3 unread, flagged', or an empty text. */
export function stateWords({ unread_count, marked_unread, status }: Conversation): string {
  const unread = marked_unread
    ? t('marked unread')
    : unread_count > 0 &&
      t('{count, plural, one {# unread} other {# unread}}', { count: unread_count });
  const words = [
    unread,
    status === 'flagged' && t('flagged'),
    status === 'archived' && t('archived'),
  ];
  return words.filter(Boolean).join(', ');
}
