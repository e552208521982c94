import { useEffect } from 'react';
import { useFocused } from '../../lib/focus.ts';

/** How long the newest message must be in view to count as read. */
const READ_AFTER_MS = 1_000;

interface MarkReadOptions {
  /** The creator's newest unread message; null if all are read. */
  newestUnreadId: string | null;
  /** Whether the newest message is in view. */
  isAtEnd: boolean;
  markRead: (upToId: string) => Promise<void>;
}

/** Marks the creator's messages as read once the newest one has been in view for a second. */
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
