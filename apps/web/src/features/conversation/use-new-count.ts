import { useState } from 'react';
import type { Thread } from './cache.ts';

/** How many messages came since the end was last in view. */
export function useNewCount(thread: Thread, isAtEnd: boolean): number {
  const newest = thread.messages.at(-1)?.seq ?? 0;
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  return isAtEnd ? 0 : thread.messages.filter(({ seq }) => seq > seen).length;
}
