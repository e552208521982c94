import { markRead } from '@stagedoor/contract/conversations';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { call, isRateLimited } from '../../lib/api.ts';
import { useSocket } from '../../lib/socket.ts';
import { inboxKeys } from '../inbox/queries.ts';
import { applyOwnRead, type Thread } from './cache.ts';
import { updateThread } from './queries.ts';
import type { Board } from './use-actions.ts';

/** The newest message counts as read after it was in view this long. */
export const READ_AFTER_MS = 1_000;

function subscribeFocus(listener: () => void): () => void {
  const events = ['focus', 'blur'] as const;
  for (const name of events) window.addEventListener(name, listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    for (const name of events) window.removeEventListener(name, listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

const isFocused = () => document.visibilityState === 'visible' && document.hasFocus();

interface MarkReadOptions {
  conversationId: string;
  thread: Thread | undefined;
  unreadCount: number;
  /** Whether the newest message is in view. */
  isAtEnd: boolean;
  canWrite: boolean;
  board: Board;
}

/** Marks the fan's messages as read once somebody had the newest one before their eyes for a second. */
export function useMarkRead({
  conversationId,
  thread,
  unreadCount,
  isAtEnd,
  canWrite,
  board,
}: MarkReadOptions): void {
  const hasFocus = useSyncExternalStore(subscribeFocus, isFocused);
  const newestId = thread?.messages.at(-1)?.id;
  const hasUnread =
    unreadCount > 0 ||
    thread?.messages.some(({ author, read_at }) => author === null && read_at === null);
  const isDue = hasFocus && isAtEnd && canWrite && hasUnread && newestId !== undefined;
  const mark = useMark(conversationId, board);
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => {
      mark(newestId).catch((error: unknown) => {
        if (!isRateLimited(error)) console.error('Failed to mark as read', error);
      });
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isDue, mark, newestId]);
}

/** Marks as read, and shows it by the reply: without a live connection no event tells of it. */
function useMark(conversationId: string, board: Board): (upToId: string) => Promise<void> {
  const client = useQueryClient();
  const socket = useSocket();
  return useCallback(
    async (upToId) => {
      const before = board.known(conversationId)?.version;
      const options = { params: { id: conversationId }, body: { up_to_message_id: upToId } };
      const { read_at, unread_count } = (await call(markRead, options)).data;
      if (read_at !== null)
        updateThread(client, conversationId, (held) => applyOwnRead(held, upToId, read_at));
      const known = board.known(conversationId);
      // What an event told meanwhile is newer than the reply, or the same.
      if (known && known.version === before) board.show({ ...known, unread_count });
      if (socket.getConnection().status !== 'connected')
        await client.invalidateQueries({ queryKey: inboxKeys.stats });
    },
    [client, socket, board, conversationId],
  );
}
