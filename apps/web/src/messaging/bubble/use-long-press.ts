import { type PointerEvent, useEffect, useRef } from 'react';

const LONG_PRESS_MS = 450;
/** A finger that moves further than this is scrolling. */
const SLOP_PX = 10;

/** Returns the handlers that detect a long press. Spread them over the element's props. */
export function useLongPress(onLongPress: (element: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === 'mouse' || !event.isPrimary) return;
      const element = event.currentTarget;
      start.current = { x: event.clientX, y: event.clientY };
      timer.current = setTimeout(() => onLongPress(element), LONG_PRESS_MS);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { x, y } = start.current;
      if (Math.hypot(event.clientX - x, event.clientY - y) > SLOP_PX) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
  };
}
