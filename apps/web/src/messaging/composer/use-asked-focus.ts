import { type RefObject, useEffect } from 'react';
import { useLocation } from 'react-router';
import { FINE_POINTER_QUERY } from '../../lib/media-query.ts';
import type { ComposerControls } from './composer.tsx';

/** Gives the text field the focus where whoever led here asks for that. By touch it would open the keyboard. */
export function useAskedFocus(composer: RefObject<ComposerControls | null>): void {
  const location = useLocation();
  const wantsFocus = (location.state as { focusComposer?: boolean } | null)?.focusComposer === true;
  // Each navigation that asks for the focus gets it.
  useEffect(() => {
    if (wantsFocus && window.matchMedia(FINE_POINTER_QUERY).matches) composer.current?.focus();
  }, [composer, wantsFocus, location.key]);
}
