import type { Shift } from '@stagedoor/contract/team/shifts';
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { ShiftMoving } from './use-moving.ts';
import { DAY_MINUTES, movedBy, resizedBy, STEP_MINUTES } from './week.ts';

/** Pointer movement below this is a click, not a drag. Pixels. */
const THRESHOLD = 4;

type Part = 'whole' | 'end';

/**
 * Drags shifts in a week's grid. A finger can only drag the end of a shift; elsewhere it scrolls the grid.
 * @param grid the element with the seven days; its height is one day
 */
export function useShiftDrag(
  grid: RefObject<HTMLElement | null>,
  { show, drop, cancel }: ShiftMoving,
  zone: string,
) {
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  return (event: PointerEvent, shift: Shift, part: Part) => {
    const box = grid.current?.getBoundingClientRect();
    const isScrolling = event.pointerType === 'touch' && part === 'whole';
    if (event.button !== 0 || isScrolling || box === undefined) return;
    event.stopPropagation();
    const { clientX, clientY, pointerId } = event;
    const columnWidth = box.width / 7;
    const forward = document.dir === 'rtl' ? -1 : 1;
    let isDragged = false;

    const onMove = (move: globalThis.PointerEvent) => {
      if (move.pointerId !== pointerId) return;
      const dx = move.clientX - clientX;
      // The grid may have been scrolled during the drag.
      const scrolled = box.top - (grid.current?.getBoundingClientRect().top ?? box.top);
      const dy = move.clientY - clientY + scrolled;
      if (!isDragged && Math.hypot(dx, dy) < THRESHOLD) return;
      isDragged = true;
      const days = Math.round((dx / columnWidth) * forward);
      const steps = Math.round(((dy / box.height) * DAY_MINUTES) / STEP_MINUTES);
      const minutes = days * DAY_MINUTES + steps * STEP_MINUTES;
      show(shift, (part === 'end' ? resizedBy : movedBy)(shift, minutes, zone));
    };
    const onUp = (up: globalThis.PointerEvent) => {
      if (up.pointerId !== pointerId) return;
      stop.current?.();
      if (!isDragged) return;
      // The click that follows would open the shift.
      window.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
      if (up.type === 'pointerup') drop();
      else cancel();
    };
    const onKey = (press: KeyboardEvent) => {
      if (press.key !== 'Escape' || !isDragged) return;
      press.preventDefault();
      press.stopPropagation();
      stop.current?.();
      cancel();
    };
    const controller = new AbortController();
    const { signal } = controller;
    window.addEventListener('pointermove', onMove, { signal });
    window.addEventListener('pointerup', onUp, { signal });
    window.addEventListener('pointercancel', onUp, { signal });
    window.addEventListener('keydown', onKey, { capture: true, signal });
    stop.current?.();
    stop.current = () => controller.abort();
  };
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

export type StartDrag = ReturnType<typeof useShiftDrag>;
