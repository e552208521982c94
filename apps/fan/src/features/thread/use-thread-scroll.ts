import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The maximum distance from the end at which the newest message counts as visible. CSS pixels. */
const END_PX = 64;
/** The distance from the beginning at which older messages are loaded. CSS pixels. */
const LOAD_OLDER_PX = 1_200;

interface ThreadScrollOptions {
  /** The key of the newest row, and whether the fan wrote it. The thread always scrolls to the fan's own messages. */
  newestKey: string | undefined;
  isNewestOwn: boolean;
  onNearStart: () => void;
  /** The id of the oldest message; it changes when older messages are added. */
  oldestKey: string | undefined;
}

/**
 * Keeps the view in place and follows the newest message while at the end. The scroller is reversed (`column-reverse`), so its
 * offset is 0 at the end and negative above.
 */
export function useThreadScroll(options: ThreadScrollOptions) {
  const { newestKey, isNewestOwn, onNearStart, oldestKey } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const height = useRef(0);
  const wasAtEnd = useRef(true);

  const scrollToEnd = useCallback((behavior: ScrollBehavior = 'auto') => {
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    scroller.current?.scrollTo({ top: 0, behavior: isCalm ? 'auto' : behavior });
  }, []);

  const latestOnNearStart = useRef(onNearStart);
  useEffect(() => {
    latestOnNearStart.current = onNearStart;
  });
  const check = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    wasAtEnd.current = element.scrollTop > -END_PX;
    setAtEnd(wasAtEnd.current);
    height.current = element.scrollHeight;
    if (element.scrollHeight - element.clientHeight + element.scrollTop < LOAD_OLDER_PX)
      latestOnNearStart.current();
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    element.addEventListener('scroll', check, { passive: true });
    return () => element.removeEventListener('scroll', check);
  }, [check]);

  // Checks again, because no scroll event follows if a new page does not fill the screen.
  useEffect(() => {
    const frame = requestAnimationFrame(check);
    return () => cancelAnimationFrame(frame);
  }, [oldestKey, check]);

  // New rows push older rows up: scroll back if the fan is reading there.
  const known = useRef(newestKey);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || known.current === newestKey) return;
    known.current = newestKey;
    if (wasAtEnd.current || isNewestOwn) scrollToEnd();
    else element.scrollTop -= element.scrollHeight - height.current;
    height.current = element.scrollHeight;
  }, [newestKey, isNewestOwn, scrollToEnd]);

  return { scroller, isAtEnd, scrollToEnd };
}
