import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** This close to the end counts as reading the newest message. CSS pixels. */
const END_PX = 64;
/** Older messages are asked for this far before the beginning comes into view. */
const LOAD_OLDER_PX = 1_200;

interface ThreadScrollOptions {
  /** The newest row, and whether the fan wrote it: one's own is always gone to. */
  newestKey: string | undefined;
  isNewestOwn: boolean;
  onNearStart: () => void;
  /** Changes whenever older messages have joined. */
  oldestKey: string | undefined;
}

/**
 * Keeps what is read in its place and follows the newest while at the end. The scroller measures from its end
 * (`column-reverse`), so its offset is 0 there and negative above.
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

  // A page that joined may not have filled the screen.
  useEffect(() => {
    const frame = requestAnimationFrame(check);
    return () => cancelAnimationFrame(frame);
  }, [oldestKey, check]);

  // What is written below pushes up what is above: who reads there keeps their place.
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
