import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';
import type { ThreadControls } from './thread-props.ts';

/** Shows the note that the address leads to, behind the conversation's: `?note=` and its id. */
export function useShownNote(thread: RefObject<ThreadControls | null>): void {
  const { search, key } = useLocation();
  const wanted = new URLSearchParams(search).get('note');
  // Each navigation that asks for it gets it.
  useEffect(() => {
    if (wanted !== null) thread.current?.showNote(wanted);
  }, [thread, wanted, key]);
}
