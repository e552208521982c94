import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import type { Guard } from '../messages/outbox.ts';
import { threadIn } from '../messages/queries.ts';

interface Position {
  seq: number;
  id: string | null;
}

/**
 * Asks for confirmation if a teammate has replied since the text was started. Call `begin` on every change of the text and
 * `mayContinue` before sending. `guard` lets the server check for messages that are not loaded here yet.
 */
export function useTeammateCheck(text: string) {
  const { id } = useOpenConversation();
  const { id: myId } = useAdmin();
  const client = useQueryClient();
  const messages = () => threadIn(client, id)?.messages ?? [];
  const newest = (): Position => messages().at(-1) ?? { seq: 0, id: null };
  const [begunWith] = useState(() => (text.trim() === '' ? null : newest()));
  const begunAt = useRef<Position | null>(begunWith);
  const [isAsking, setAsking] = useState(false);
  return {
    isAsking,
    begin(text: string) {
      if (text.trim() === '') {
        begunAt.current = null;
        setAsking(false);
      } else {
        begunAt.current ??= newest();
      }
    },
    mayContinue(): boolean {
      const since = begunAt.current ?? newest();
      const isAnswered = messages().some(
        ({ seq, author, campaign_id }) =>
          seq > since.seq && author !== null && author.id !== myId && campaign_id === null,
      );
      if (!isAnswered || isAsking) return true;
      setAsking(true);
      return false;
    },
    guard: (): Guard =>
      isAsking ? { sendAnyway: true } : { lastSeenId: (begunAt.current ?? newest()).id },
    reset() {
      begunAt.current = null;
      setAsking(false);
    },
  };
}
