import { useEffect, useMemo, useRef } from 'react';
import { useConnection, useSocket } from '../../lib/server/socket.ts';

/** How long a conversation must be open before it is reported. Milliseconds. */
const PASSING_MS = 400;
/** How often ongoing typing is reported. Milliseconds. */
const REPORT_TYPING_MS = 2_500;
/** The pause after which typing counts as stopped. Milliseconds. */
const STOPPED_MS = 4_000;

/**
 * Reports to teammates that the conversation is open while the page is visible, and that a reply is being typed.
 * @returns a function to call with the reply's text at each change; a blank text means that nothing is being typed
 */
export function useReportPresence(conversationId: string): (text: string) => void {
  const socket = useSocket();
  const { status } = useConnection();
  const reportedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (status !== 'connected') return;
    const target = { conversation_id: conversationId };
    let isReported = false;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      clearTimeout(soon);
      if (document.visibilityState === 'visible') {
        soon = setTimeout(() => {
          isReported = socket.emit('join_conversation', target);
        }, PASSING_MS);
      } else if (isReported) isReported = !socket.emit('leave_conversation', target);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(soon);
      clearTimeout(timer.current);
      reportedAt.current = 0;
      document.removeEventListener('visibilitychange', follow);
      if (isReported) socket.emit('leave_conversation', target);
    };
  }, [socket, status, conversationId]);

  return useMemo(() => {
    const target = { conversation_id: conversationId };
    const stop = () => {
      clearTimeout(timer.current);
      if (reportedAt.current === 0) return;
      reportedAt.current = 0;
      socket.emit('typing_stop', target);
    };
    return (text: string) => {
      if (text.trim() === '') return stop();
      clearTimeout(timer.current);
      timer.current = setTimeout(stop, STOPPED_MS);
      if (Date.now() - reportedAt.current < REPORT_TYPING_MS) return;
      reportedAt.current = Date.now();
      socket.emit('typing_start', target);
    };
  }, [socket, conversationId]);
}
