import { useEffect } from 'react';
import { useFocused } from '../../lib/focus.ts';

/** The newest message counts as read after it was in view this long. */
const READ_AFTER_MS = 1_000;

interface MarkReadOptions {
  /** The creator's newest unread message; null when all are read. */
  newestUnreadId: string | null;
  /** Whether the newest message is in view. */
  isAtEnd: boolean;
  markRead: (upToId: string) => Promise<void>;
}

/** Says that the fan read the creator's messages, once they had the newest one before their eyes for a second. */
export function useMarkRead({ newestUnreadId, isAtEnd, markRead }: MarkReadOptions): void {
  const isFocused = useFocused();
  useEffect(() => {
    if (!isFocused || !isAtEnd || newestUnreadId === null) return;
    const timer = setTimeout(() => {
      markRead(newestUnreadId).catch((error: unknown) =>
        console.warn('The messages could not be marked as read', error),
      );
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isFocused, isAtEnd, newestUnreadId, markRead]);
}
