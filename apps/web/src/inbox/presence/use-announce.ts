import { useEffect, useMemo, useRef } from 'react';
import { useConnection, useSocket } from '../../lib/server/socket.ts';

/** A conversation that is open for less than this is not reported. Milliseconds. */
const PASSING_MS = 400;
/** How often ongoing typing is reported. Milliseconds. */
const TELL_TYPING_MS = 2_500;
/** Typing counts as stopped after a pause this long. Milliseconds. */
const STOPPED_MS = 4_000;

/**
 * Reports to teammates that the conversation is open while the page is visible, and that a reply is being typed.
 * @returns a function to call with the reply's text at each change; a blank text means that nothing is being typed
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
