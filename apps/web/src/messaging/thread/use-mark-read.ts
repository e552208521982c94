import { markReadSoon } from '@stagedoor/browser/mark-read-soon';
import { useFocused } from '@stagedoor/browser/use-focused';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isPassing } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { useSocket } from '../../lib/server/socket.ts';
import type { Thread } from '../messages/cache.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { conversationOptions } from '../messages/queries.ts';
import { markReadUpTo } from './mark-read.ts';

/**
 * Marks the fan's messages as read after the newest one was visible in a focused window for a second.
 * @param isAtEnd whether the newest message is visible
 */
export function useMarkRead(thread: Thread, isAtEnd: boolean): void {
  const { id, board } = useOpenConversation();
  const client = useQueryClient();
  const socket = useSocket();
  const canWrite = useAdmin().permissions.can_manage_messages;
  const { data: conversation } = useQuery(conversationOptions(id));
  const hasFocus = useFocused();
  const isMarked = conversation?.marked_unread ?? false;
  // Opening a conversation clears its manual unread mark. A mark that is set while the conversation is open stays.
  const [wasMarked, setWasMarked] = useState(isMarked);
  if (wasMarked && !isMarked) setWasMarked(false);
  const newestId = thread.messages.at(-1)?.id;
  const hasUnread =
    unreadFrom(conversation) > 0 ||
    wasMarked ||
    thread.messages.some(({ author, read_at }) => author === null && read_at === null);
  const isDue = hasFocus && isAtEnd && canWrite && hasUnread && newestId !== undefined;
  useEffect(() => {
    if (!isDue) return;
    const reading = { client, socket, board, conversationId: id, upToId: newestId };
    return markReadSoon(() => markReadUpTo(reading), isPassing);
  }, [isDue, client, socket, board, id, newestId]);
}

/** Returns the number of the fan's unread messages, without the 1 that a manual unread mark adds. */
export function unreadFrom(conversation: Conversation | undefined): number {
  return conversation ? conversation.unread_count - Number(conversation.marked_unread) : 0;
}
