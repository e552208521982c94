import { useRef, useState } from 'react';
import type { Thread } from '../messages/cache.ts';
import type { Guard } from '../messages/outbox.ts';

interface Position {
  seq: number;
  id: string | null;
}

function newestOf({ messages }: Thread): Position {
  const newest = messages.at(-1);
  return newest ? { seq: newest.seq, id: newest.id } : { seq: 0, id: null };
}

/**
 * Blocks a reply once if a teammate's message arrived after it was begun. Call `begin` on every change of the text and
 * `mayContinue` before sending. `guard` lets the server check for messages that are not loaded here yet.
 */
export function useTeammateCheck(thread: Thread, myId: string, text: string) {
  const begunAt = useRef<Position | null>(text.trim() === '' ? null : newestOf(thread));
  const [isAsking, setAsking] = useState(false);
  return {
    isAsking,
    begin(text: string) {
      if (text.trim() === '') {
        begunAt.current = null;
        setAsking(false);
      } else {
        begunAt.current ??= newestOf(thread);
      }
    },
    mayContinue(): boolean {
      const since = begunAt.current ?? newestOf(thread);
      const isAnswered = thread.messages.some(
        ({ seq, author }) => seq > since.seq && author !== null && author.id !== myId,
      );
      if (!isAnswered || isAsking) return true;
      setAsking(true);
      return false;
    },
    guard: (): Guard =>
      isAsking ? { sendAnyway: true } : { lastSeenId: (begunAt.current ?? newestOf(thread)).id },
    reset() {
      begunAt.current = null;
      setAsking(false);
    },
  };
}
