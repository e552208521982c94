/** The width of an axis label including its spacing. */
const LABEL_PX = 66;
/** An upper estimate of a label's average character width. */
const CHARACTER_PX = 6.4;

/** Returns the indexes of the points that get a label on the axis. They are evenly spaced and include the last point. */
export function labelledPoints(count: number, widthPx: number): number[] {
  const most = Math.max(1, Math.floor(widthPx / LABEL_PX));
  const every = Math.max(1, Math.ceil(count / most));
  const labelled: number[] = [];
  for (let index = count - 1; index >= 0; index -= every) labelled.unshift(index);
  return labelled;
}

/** Estimates the width of a label. */
export function textWidth(text: string): number {
  return Math.ceil(text.length * CHARACTER_PX);
}

/** Returns the center for a label at `x`, moved so that the label is not cut off. */
export function keptInside(x: number, text: string, widthPx: number): number {
  const half = textWidth(text) / 2;
  return Math.min(Math.max(x, half), widthPx - half);
}

/** Returns the index of the point nearest to a pointer, or null without points. Points are evenly spaced. */
export function nearestPoint(centers: readonly number[], x: number): number | null {
  const [first] = centers;
  const last = centers.at(-1);
  if (first === undefined || last === undefined) return null;
  if (first === last) return 0;
  const at = ((x - first) / (last - first)) * (centers.length - 1);
  return Math.min(centers.length - 1, Math.max(0, Math.round(at)));
}

/** The number of points that Page Up and Page Down skip. */
const PAGE = 7;

/** Returns the cursor's index after a key press, or null for other keys. */
export function movedBy(key: string, current: number, count: number): number | null {
  const last = count - 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: current - 1,
    ArrowDown: current - 1,
    ArrowRight: current + 1,
    ArrowUp: current + 1,
    PageUp: current + PAGE,
    PageDown: current - PAGE,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  return target === undefined ? null : Math.min(last, Math.max(0, target));
}
