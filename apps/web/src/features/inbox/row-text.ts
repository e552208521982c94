import type { Conversation, SearchHit } from '@stagedoor/contract/conversations';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messages';
import { displayName, relativeTime } from '../../lib/format.ts';

/** What a row says of the last message; of a message that is nothing but its attachments, that it has some. */
export function previewOf(content: string | null): string {
  if (content === null) return 'No messages yet';
  return content.trim() === '' || content === ATTACHMENT_PLACEHOLDER ? '📎 Attachment' : content;
}

/** Where a search found the conversation: the excerpt, for a match elsewhere than in its name or last message. */
export function excerptOf(conversation: Conversation | SearchHit): string | null {
  return 'match' in conversation ? (conversation.match?.excerpt ?? null) : null;
}

interface RowState {
  hasDraft: boolean;
  now: number;
}

/** A row in words, for those who don't see it: 'Ana, 3 unread, flagged, preview, time', and the fan's tags. */
export function rowLabel(
  conversation: Conversation | SearchHit,
  { hasDraft, now }: RowState,
): string {
  const { fan, unread_count, status, claimed_by, last_message_content, last_message_at } =
    conversation;
  return [
    displayName(fan),
    unread_count > 0 && `${unread_count} unread`,
    status !== 'active' && status,
    claimed_by !== null && 'claimed',
    hasDraft && 'draft',
    excerptOf(conversation) ?? previewOf(last_message_content),
    relativeTime(last_message_at, now),
    ...fan.admin_tags.map(({ label }) => label),
  ]
    .filter(Boolean)
    .join(', ');
}
