import { useCallback, useSyncExternalStore } from 'react';

/** From this width on, the list and the conversation are shown side by side. */
const SPLIT_QUERY = '(min-width: 768px)';
/** From this width on, a conversation's actions are buttons in its header. */
export const DESKTOP_QUERY = '(min-width: 1024px)';
/** From this width on, the panel about the fan is open beside the conversation. */
export const WIDE_QUERY = '(min-width: 1600px)';
/** The device has a mouse or trackpad, so moving the focus doesn't open an on-screen keyboard. */
export const FINE_POINTER_QUERY = '(hover: hover) and (pointer: fine)';

/** The system asks for less motion. For animations that are not set in the style sheet. */
export const REDUCED_MOTION_QUERY = '(prefers-reduced-motion: reduce)';

/** Cached by query, since creating a list is expensive and reading it is not. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, list);
  return list;
}

/** Returns whether a media query matches, and re-renders when that changes. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => listOf(query).matches);
}

/** Returns whether the list and the conversation are shown side by side. */
export function useIsSplit(): boolean {
  return useMediaQuery(SPLIT_QUERY);
}
