import { type RefObject, useLayoutEffect, useState } from 'react';
import { type GridShape, type GridWindow, gridShape, gridWindow } from './grid-window.ts';

/** A grid's width and the visible part of its height, in pixels. */
interface View {
  width: number;
  top: number;
  bottom: number;
}

/** Scrolling is rounded to this step, so that small movements cause no re-render. */
const STEP_PX = 100;

function viewOf(grid: HTMLElement): View {
  const { top } = grid.getBoundingClientRect();
  const from = Math.floor(-top / STEP_PX) * STEP_PX;
  return { width: grid.clientWidth, top: from, bottom: from + window.innerHeight + STEP_PX };
}

/**
 * Returns which cards of a grid to render.
 * @returns null until the grid is measured
 */
export function useGridWindow(
  grid: RefObject<HTMLElement | null>,
  count: number,
): { shape: GridShape; window: GridWindow } | null {
  const [view, setView] = useState<View | null>(null);
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return;
    const update = () => {
      const next = viewOf(element);
      setView((held) => {
        const isSame =
          held?.width === next.width && held.top === next.top && held.bottom === next.bottom;
        return isSame ? held : next;
      });
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    // On a phone the page scrolls, elsewhere an inner element; capturing covers both.
    document.addEventListener('scroll', update, { passive: true, capture: true });
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', update, { capture: true });
      window.removeEventListener('resize', update);
    };
  }, [grid]);
  if (view === null) return null;
  const shape = gridShape(view.width);
  return { shape, window: gridWindow(shape, count, view) };
}
