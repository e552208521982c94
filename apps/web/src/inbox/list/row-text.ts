import type { Conversation, SearchHit } from '@stagedoor/contract/inbox/conversations';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import { t } from '../../lib/text/i18n.ts';

/** What a row says of the last message; of a message that is nothing but its attachments, that it has some. */
export function previewOf({
  last_message_content: content,
  last_message_at,
}: Conversation): string {
  // A time without a message is that of joining.
  if (content === null) {
    return last_message_at === null
      ? t('No messages yet')
      : t('No messages yet · joined by invitation');
  }
  return content.trim() === '' || content === ATTACHMENT_PLACEHOLDER ? t('📎 Attachment') : content;
}

/** Where a search found the conversation: the excerpt, for a match elsewhere than in its name or last message. */
export function excerptOf(conversation: Conversation | SearchHit): string | null {
  return 'match' in conversation ? (conversation.match?.excerpt ?? null) : null;
}

/** What a row shows by a badge, a colour or an icon, in words: '3 unread, flagged'. Empty where there is nothing to say. */
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
