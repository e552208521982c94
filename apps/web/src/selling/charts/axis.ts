/** Room that an axis label takes, with the space to its neighbour. */
const LABEL_PX = 66;
/** How wide a character of an axis label is at most, on average. */
const CHARACTER_PX = 6.4;

/** Which of `count` points get a label on an axis of this width: evenly apart, the last one always. */
export function labelledPoints(count: number, widthPx: number): number[] {
  const most = Math.max(1, Math.floor(widthPx / LABEL_PX));
  const every = Math.max(1, Math.ceil(count / most));
  const labelled: number[] = [];
  for (let index = count - 1; index >= 0; index -= every) labelled.unshift(index);
  return labelled;
}

/** How wide a label is, near enough. */
export function textWidth(text: string): number {
  return Math.ceil(text.length * CHARACTER_PX);
}

/** Where the middle of a label goes that would best stand at `x`, so that nothing of it is cut. */
export function keptInside(x: number, text: string, widthPx: number): number {
  const half = textWidth(text) / 2;
  return Math.min(Math.max(x, half), widthPx - half);
}

/** The point nearest to a pointer, of points that stand evenly from the first to the last; null without any. */
export function nearestPoint(centers: readonly number[], x: number): number | null {
  const [first] = centers;
  const last = centers.at(-1);
  if (first === undefined || last === undefined) return null;
  if (first === last) return 0;
  const at = ((x - first) / (last - first)) * (centers.length - 1);
  return Math.min(centers.length - 1, Math.max(0, Math.round(at)));
}

/** Days that Page Up and Page Down pass. */
const PAGE = 7;

/** Where a key takes the cursor; null for a key that moves nothing. */
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
