import { useRef, useState } from 'react';
import { newestSeq, type Thread } from './cache.ts';

/**
 * Stops a reply once when a colleague's message came after it was begun. `begin` is told of every change of the text;
 * `mayContinue` asks before sending.
 */
export function useTeammateCheck(thread: Thread, myId: string) {
  const begunAt = useRef<number | null>(null);
  const [isAsking, setAsking] = useState(false);
  return {
    isAsking,
    begin(text: string) {
      if (text.trim() === '') {
        begunAt.current = null;
        setAsking(false);
      } else {
        begunAt.current ??= newestSeq(thread);
      }
    },
    mayContinue(): boolean {
      const since = begunAt.current ?? newestSeq(thread);
      const isAnswered = thread.messages.some(
        ({ seq, author }) => seq > since && author !== null && author.id !== myId,
      );
      if (!isAnswered || isAsking) return true;
      setAsking(true);
      return false;
    },
    reset() {
      begunAt.current = null;
      setAsking(false);
    },
  };
}
