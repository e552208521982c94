import { useEffect, useMemo, useRef } from 'react';
import { useConnection, useSocket } from '../../lib/server/socket.ts';

/** Who only passes a conversation by is not told of. Milliseconds. */
const PASSING_MS = 400;
/** Typing is told of this often while it goes on. Milliseconds. */
const TELL_TYPING_MS = 2_500;
/** Who has not typed for this long has stopped. Milliseconds. */
const STOPPED_MS = 4_000;

/**
 * Tells colleagues that the conversation is open here for as long as the page is looked at, and when its reply is typed.
 * @returns to be called with the text at each change of it; blank: nothing is being written
 */
export function useAnnounce(conversationId: string): (text: string) => void {
  const socket = useSocket();
  const { status } = useConnection();
  const toldAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (status !== 'connected') return;
    const place = { conversation_id: conversationId };
    let isTold = false;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      clearTimeout(soon);
      if (document.visibilityState === 'visible') {
        soon = setTimeout(() => {
          isTold = socket.emit('join_conversation', place);
        }, PASSING_MS);
      } else if (isTold) isTold = !socket.emit('leave_conversation', place);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(soon);
      clearTimeout(timer.current);
      toldAt.current = 0;
      document.removeEventListener('visibilitychange', follow);
      if (isTold) socket.emit('leave_conversation', place);
    };
  }, [socket, status, conversationId]);

  return useMemo(() => {
    const place = { conversation_id: conversationId };
    const stop = () => {
      clearTimeout(timer.current);
      if (toldAt.current === 0) return;
      toldAt.current = 0;
      socket.emit('typing_stop', place);
    };
    return (text: string) => {
      if (text.trim() === '') return stop();
      clearTimeout(timer.current);
      timer.current = setTimeout(stop, STOPPED_MS);
      if (Date.now() - toldAt.current < TELL_TYPING_MS) return;
      toldAt.current = Date.now();
      socket.emit('typing_start', place);
    };
  }, [socket, conversationId]);
}
