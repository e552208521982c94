import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { isRateLimited } from '../../lib/server/api.ts';
import { useSocket } from '../../lib/server/socket.ts';
import type { Board } from '../messages/board.ts';
import type { Thread } from '../messages/cache.ts';
import { markReadUpTo } from './mark-read.ts';

/** The newest message counts as read once it was visible for this long. */
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
  /** The number of the fan's unread messages. */
  unreadCount: number;
  /** Whether staff marked it as unread. */
  isMarked: boolean;
  /** Whether the newest message is visible. */
  isAtEnd: boolean;
  canWrite: boolean;
  board: Board;
}

/** Marks the fan's messages as read after the newest one was visible in a focused window for a second. */
export function useMarkRead({
  conversationId,
  thread,
  unreadCount,
  isMarked,
  isAtEnd,
  canWrite,
  board,
}: MarkReadOptions): void {
  const hasFocus = useSyncExternalStore(subscribeFocus, isFocused);
  // Opening the conversation clears an unread mark. It stays while the person who set it keeps the conversation open.
  const [wasMarked, setWasMarked] = useState(isMarked);
  if (wasMarked && !isMarked) setWasMarked(false);
  const newestId = thread?.messages.at(-1)?.id;
  const hasUnread =
    unreadCount > 0 ||
    wasMarked ||
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

function useMark(conversationId: string, board: Board): (upToId: string) => Promise<void> {
  const client = useQueryClient();
  const socket = useSocket();
  return useCallback(
    (upToId) => markReadUpTo({ client, socket, board, conversationId, upToId }),
    [client, socket, board, conversationId],
  );
}
