import { type TouchEvent, useRef } from 'react';

/** The minimum length of a swipe. */
const SWIPE_PX = 100;

/** Calls `onSwipe` on a one-finger swipe towards the end of the line. The element follows the finger. */
export function useSwipeAway(isOn: boolean, onSwipe: () => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const away = document.dir === 'rtl' ? -1 : 1;
  const offsetOf = (event: TouchEvent) => {
    const touch = event.changedTouches[0];
    if (!start.current || !touch) return 0;
    const x = touch.clientX - start.current.x;
    // A mostly vertical movement is scrolling.
    return Math.abs(touch.clientY - start.current.y) > Math.abs(x) ? 0 : x * away;
  };
  const settle = (element: HTMLElement) => {
    start.current = null;
    element.style.translate = '';
  };
  if (!isOn) return {};
  return {
    onTouchStart: (event: TouchEvent) => {
      const touch = event.touches.length === 1 ? event.touches[0] : undefined;
      start.current = touch ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchMove: (event: TouchEvent<HTMLElement>) => {
      event.currentTarget.style.translate = `${Math.max(0, offsetOf(event)) * away}px 0`;
    },
    onTouchEnd: (event: TouchEvent<HTMLElement>) => {
      const isFar = offsetOf(event) > SWIPE_PX;
      settle(event.currentTarget);
      if (isFar) onSwipe();
    },
    onTouchCancel: (event: TouchEvent<HTMLElement>) => settle(event.currentTarget),
  };
}
