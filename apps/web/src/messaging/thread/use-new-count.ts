import { useState } from 'react';
import type { Thread } from '../messages/cache.ts';

/** Returns how many messages from others arrived since the end was last visible. */
export function useNewCount(thread: Thread, isAtEnd: boolean, myId: string): number {
  const newest = thread.messages.at(-1)?.seq ?? 0;
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  if (isAtEnd) return 0;
  return thread.messages.filter(({ seq, author }) => seq > seen && author?.id !== myId).length;
}
