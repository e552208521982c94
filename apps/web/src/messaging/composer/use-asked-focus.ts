import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';
import { FINE_POINTER_QUERY } from '../../lib/media-query.ts';
import type { ReplyFieldControls } from './reply-field.tsx';

/** Focuses the text field if the navigation asks for it. Not on touch devices, where that would open the keyboard. */
export function useAskedFocus(field: RefObject<ReplyFieldControls | null>): void {
  const location = useLocation();
  const wantsFocus = (location.state as { focusComposer?: boolean } | null)?.focusComposer === true;
  // Runs for each navigation that asks for focus.
  useEffect(() => {
    if (wantsFocus && window.matchMedia(FINE_POINTER_QUERY).matches) field.current?.focus();
  }, [field, wantsFocus, location.key]);
}
