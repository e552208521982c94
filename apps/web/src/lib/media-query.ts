import { useCallback, useSyncExternalStore } from 'react';

/** From this width on, list and conversation stand side by side. */
export const SPLIT_QUERY = '(min-width: 768px)';
/** From this width on, a conversation's actions stand as buttons in its header. */
export const DESKTOP_QUERY = '(min-width: 1024px)';
/** A mouse or trackpad: opening something may move the focus without a keyboard sliding over the screen. */
export const FINE_POINTER_QUERY = '(hover: hover) and (pointer: fine)';

/** The system asks for less motion. What a style sheet can't reach has to ask for it. */
export const REDUCED_MOTION_QUERY = '(prefers-reduced-motion: reduce)';

/** Made once of each query: reading one is free, unlike making it. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? window.matchMedia(query);
  lists.set(query, list);
  return list;
}

/** Whether a media query matches, re-rendering when that changes. */
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

/** Whether list and conversation stand side by side. */
export function useIsSplit(): boolean {
  return useMediaQuery(SPLIT_QUERY);
}
