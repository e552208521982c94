import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';
import type { ThreadControls } from './thread-props.ts';

/** Shows the note that whoever led here wants to be seen. */
export function useShownNote(thread: RefObject<ThreadControls | null>): void {
  const { state, key } = useLocation();
  const wanted = (state as { showNote?: string } | null)?.showNote;
  // Each navigation that asks for it gets it.
  useEffect(() => {
    if (wanted !== undefined) thread.current?.showNote(wanted);
  }, [thread, wanted, key]);
}
