import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';

const LONG_PRESS_MS = 420;
const DOUBLE_TAP_MS = 300;
/** Finger movement above this is not a press. CSS pixels. */
const SLOP_PX = 10;
/** How far a message must be swiped to reply, and how far it can move. CSS pixels. */
const SWIPE_PX = 56;
const SWIPE_MAX_PX = 76;

interface Gestures {
  /** The element that moves with the finger. */
  moving: RefObject<HTMLElement | null>;
  onLongPress: () => void;
  onDoubleTap: () => void;
  onSwipe: () => void;
}

interface Click {
  target: EventTarget;
  timeStamp: number;
}

/** The direction of a forward swipe: 1 for right, or -1 for left in right-to-left languages. */
const FORWARD = document.dir === 'rtl' ? -1 : 1;

const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('button, a, video, audio, input') !== null;

/** Detects a long press, a double tap, and a forward swipe. Spread the result over the message's props. */
export function useGestures({ moving, onLongPress, onDoubleTap, onSwipe }: Gestures) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef<{ x: number; y: number } | null>(null);
  const lastTap = useRef(0);
  const drawn = useRef(0);
  const isDrawing = useRef(false);
  const isTouch = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const draw = (px: number) => {
    drawn.current = px;
    const { style } = moving.current ?? {};
    if (!style) return;
    style.transition = px === 0 ? 'transform 180ms' : 'none';
    style.transform = px === 0 ? '' : `translateX(${px * FORWARD}px)`;
    style.setProperty('--drawn', String(Math.min(1, px / SWIPE_PX)));
  };
  const end = () => {
    clearTimeout(timer.current);
    start.current = null;
    isDrawing.current = false;
    if (drawn.current !== 0) draw(0);
  };

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      isTouch.current = event.pointerType !== 'mouse';
      if (!isTouch.current || !event.isPrimary) return;
      start.current = { x: event.clientX, y: event.clientY };
      timer.current = setTimeout(() => {
        end();
        onLongPress();
      }, LONG_PRESS_MS);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!start.current || event.pointerType === 'mouse') return;
      const dx = (event.clientX - start.current.x) * FORWARD;
      const dy = event.clientY - start.current.y;
      if (Math.hypot(dx, dy) > SLOP_PX) clearTimeout(timer.current);
      if (!isDrawing.current && dx > SLOP_PX && Math.abs(dy) < dx / 2) {
        isDrawing.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      if (isDrawing.current) draw(Math.min(SWIPE_MAX_PX, Math.max(0, dx - SLOP_PX)));
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      if (!start.current || event.pointerType === 'mouse') return;
      const isSwipe = isDrawing.current && drawn.current >= SWIPE_PX;
      end();
      if (isSwipe) onSwipe();
    },
    onPointerCancel: end,
    // Taps are counted on click: a change before the click could move another element under the finger.
    onClick({ target, timeStamp }: Click) {
      if (!isTouch.current || isControl(target)) return;
      const isSecond = timeStamp - lastTap.current < DOUBLE_TAP_MS;
      lastTap.current = isSecond ? 0 : timeStamp;
      if (isSecond) onDoubleTap();
    },
    onDoubleClick({ target }: Click) {
      if (!isTouch.current && !isControl(target)) onDoubleTap();
    },
    onContextMenu(event: { preventDefault: () => void }) {
      // On touch devices a long press opens our menu instead of the browser's.
      if (window.matchMedia('(pointer: coarse)').matches) event.preventDefault();
    },
  };
}
