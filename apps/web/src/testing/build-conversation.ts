import type { Conversation, ConversationPage } from '@stagedoor/contract/inbox/conversations';
import { at } from './build-message.ts';

/** Builds a conversation: by default active, unclaimed and read. */
export function buildConversation(overrides: Partial<Conversation> & { id: string }): Conversation {
  return {
    version: 1,
    last_seq: 1,
    status: 'active',
    unread_count: 0,
    marked_unread: false,
    last_message_at: at(0),
    last_message_content: 'Hello',
    last_message_by: null,
    waiting_since: null,
    snooze: null,
    fan_id: `fan-of-${overrides.id}`,
    creator_id: 'creator',
    fan: {
      id: `fan-of-${overrides.id}`,
      external_id: overrides.id,
      first_name: 'Ana',
      last_name: null,
      username: 'ana',
      email: null,
      avatar_url: null,
      timezone: null,
      admin_tags: [],
      subscription: null,
    },
    claimed_by: null,
    claimant: null,
    created_at: at(0),
    ...overrides,
  };
}

/** Builds a page of a list. Without a cursor it is the last page. */
export function buildPage(
  data: Conversation[],
  next_cursor: string | null = null,
  total = data.length,
): ConversationPage {
  return { data, next_cursor, total };
}
