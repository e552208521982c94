import { useSyncExternalStore } from 'react';
import { createListeners } from '../../lib/listeners.ts';

/** The panel's default width in pixels. */
const NOTES_WIDTH = 400;
export const NOTES_WIDTH_MIN = 300;
export const NOTES_WIDTH_MAX = 600;
/** The change per arrow key press. */
const STEP_PX = 16;
/** The minimum width of the thread beside a docked panel. */
const THREAD_MIN_PX = 480;

const STORED_WIDTH = 'stagedoor_notes_width';

export function clampWidth(width: number): number {
  return Math.min(NOTES_WIDTH_MAX, Math.max(NOTES_WIDTH_MIN, Math.round(width)));
}

/**
 * Returns the width after a key press, or null for other keys. The panel grows to the left, or to the right in right-to-left
 * layouts.
 */
export function widthByKey(key: string, width: number, isRtl = false): number | null {
  const step = isRtl ? -STEP_PX : STEP_PX;
  const widths: Readonly<Record<string, number>> = {
    ArrowLeft: clampWidth(width + step),
    ArrowRight: clampWidth(width - step),
    Home: NOTES_WIDTH_MIN,
    End: NOTES_WIDTH_MAX,
  };
  return widths[key] ?? null;
}

/** Returns the next preset width, for users who can't drag. */
export function nextWidth(width: number): number {
  const widths = [NOTES_WIDTH_MIN, NOTES_WIDTH, NOTES_WIDTH_MAX];
  return widths.find((each) => each > width) ?? NOTES_WIDTH_MIN;
}

/** Returns whether the panel is docked beside the thread instead of over it. */
export function isDocked(available: number, width: number): boolean {
  return available - width >= THREAD_MIN_PX;
}

function storedWidth(): number {
  const width = Number.parseInt(localStorage.getItem(STORED_WIDTH) ?? '', 10);
  return Number.isNaN(width) ? NOTES_WIDTH : clampWidth(width);
}

const listeners = createListeners();

/** Sets the panel's width and keeps it for the next visit. */
export function setPanelWidth(width: number): void {
  localStorage.setItem(STORED_WIDTH, String(width));
  listeners.notify();
}

/** Returns the panel's width in pixels, and re-renders when it changes. */
export function usePanelWidth(): number {
  return useSyncExternalStore(listeners.subscribe, storedWidth);
}
