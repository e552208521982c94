import type { EndpointReply } from '@stagedoor/contract/endpoint';
import { assignConversation, type Conversation } from '@stagedoor/contract/inbox/conversations';
import {
  markUnread,
  NEXT_SKIP_MAX,
  nextConversation,
  pin,
  snooze,
  unpin,
  unsnooze,
} from '@stagedoor/contract/inbox/queue';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The cache and screens that show an action's result. */
export interface QueueScreen {
  client: QueryClient;
  /** Reads and updates every list, search and header. */
  board: {
    known: (id: string) => Conversation | null;
    show: (conversation: Conversation) => void;
  };
}

async function settle(
  { client, board }: QueueScreen,
  acting: Promise<{ data: Conversation }>,
): Promise<void> {
  board.show((await acting).data);
  await client.invalidateQueries({ queryKey: ['inbox', 'stats'] });
}

/** Marks a conversation as unread, for everyone. */
export const markAsUnread = (screen: QueueScreen, id: string): Promise<void> =>
  settle(screen, call(markUnread, { params: { id } }));

/** Snoozes a conversation, for everyone. @param until ISO; null: until the fan writes */
export const snoozeUntil = (screen: QueueScreen, id: string, until: string | null): Promise<void> =>
  settle(screen, call(snooze, { params: { id }, body: { until } }));

/** Claims a conversation for an admin; null releases it. */
export const assignTo = (screen: QueueScreen, id: string, admin_id: string | null): Promise<void> =>
  settle(screen, call(assignConversation, { params: { id }, body: { admin_id } }));

export const endSnooze = (screen: QueueScreen, id: string): Promise<void> =>
  settle(screen, call(unsnooze, { params: { id } }));

/** Pins or unpins a conversation for the admin. */
export async function setPinned(
  { client }: QueueScreen,
  id: string,
  isPinned: boolean,
): Promise<void> {
  await call(isPinned ? pin : unpin, { params: { id } });
  // The response may predate other pins, whose responses have already arrived.
  await client.invalidateQueries({ queryKey: ['inbox', 'pins'] });
}

/** Conversations that 'Next' has already opened, oldest first. It skips them as long as other fans are waiting. */
let seen: readonly string[] = [];

/** The segment that the list is filtered by, or null. */
let segment: string | null = null;

/** Limits 'Next' to the fans of a segment; null: no limit. */
export function narrowNext(to: string | null): void {
  segment = to;
}

/**
 * Claims the conversation to answer next, other than the open one.
 * @returns `data` is null if nobody is waiting
 */
export async function takeNext(
  openId: string | null,
): Promise<EndpointReply<typeof nextConversation>> {
  const open = openId === null ? [] : [openId];
  const left = seen.filter((id) => id !== openId);
  const skip = [...left, ...open].slice(-NEXT_SKIP_MAX);
  const within = segment === null ? {} : { segment };
  let answer = await call(nextConversation, { body: { ...within, skip } });
  if (answer.data === null && left.length > 0) {
    // 'Next' has offered every waiting fan once: start over.
    seen = [];
    answer = await call(nextConversation, { body: { ...within, skip: open } });
  }
  if (answer.data !== null) seen = [...seen, answer.data.id].slice(-NEXT_SKIP_MAX);
  return answer;
}
