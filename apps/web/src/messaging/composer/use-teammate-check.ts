import { useRef, useState } from 'react';
import type { Thread } from '../messages/cache.ts';
import type { Guard } from '../messages/outbox.ts';

interface Place {
  seq: number;
  id: string | null;
}

function newestOf({ messages }: Thread): Place {
  const newest = messages.at(-1);
  return newest ? { seq: newest.seq, id: newest.id } : { seq: 0, id: null };
}

/**
 * Stops a reply once when a colleague's message came after it was begun. `begin` is told of every change of the text;
 * `mayContinue` asks before sending. What is not known here yet the server knows: `guard` goes with the message.
 */
export function useTeammateCheck(thread: Thread, myId: string, text: string) {
  const begunAt = useRef<Place | null>(text.trim() === '' ? null : newestOf(thread));
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
