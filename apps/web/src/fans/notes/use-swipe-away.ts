import { type TouchEvent as ReactTouchEvent, useRef } from 'react';

/** The minimum length of a swipe. */
const SWIPE_PX = 100;

/** Calls `onSwipe` on a one-finger swipe to the right, or to the left in right-to-left layouts. The element follows the finger. */
export function useSwipeAway(isOn: boolean, onSwipe: () => void) {
  const swipe = useRef(new AbortController());
  if (!isOn) return {};
  return {
    onTouchStart({ currentTarget: element, target, touches }: ReactTouchEvent<HTMLElement>) {
      swipe.current.abort();
      element.style.translate = '';
      const [start] = touches.length === 1 ? Array.from(touches) : [];
      if (!start) return;
      swipe.current = new AbortController();
      const { signal } = swipe.current;
      const away = document.dir === 'rtl' ? -1 : 1;
      const offsetOf = (event: Event) => {
        const [touch] = (event as TouchEvent).changedTouches;
        if (!touch) return 0;
        const x = touch.clientX - start.clientX;
        // A mostly vertical movement is scrolling.
        return Math.abs(touch.clientY - start.clientY) > Math.abs(x) ? 0 : x * away;
      };
      const onMove = (event: Event) => {
        element.style.translate = `${Math.max(0, offsetOf(event)) * away}px 0`;
      };
      const onEnd = (event: Event) => {
        swipe.current.abort();
        element.style.translate = '';
        if (event.type === 'touchend' && offsetOf(event) > SWIPE_PX) onSwipe();
      };
      // Touch events are dispatched to the element where the touch began. If loaded content replaces it, they no longer bubble.
      target.addEventListener('touchmove', onMove, { signal, passive: true });
      target.addEventListener('touchend', onEnd, { signal });
      target.addEventListener('touchcancel', onEnd, { signal });
    },
  };
}
