/** The minimum gap between two axis labels. Between bar labels, whose centers are closer together, it is half as large. */
const GAP_PX = 8;
/** An upper estimate of a label's average character width. */
const CHARACTER_PX = 6.4;

/**
 * Returns the indexes of the points that get a label on the axis: the first, the last and as many evenly spaced ones as fit
 * between them; only the last if there is no room for two.
 * @param labelPx the width of the widest label
 */
export function labeledPoints(count: number, plotPx: number, labelPx: number): number[] {
  if (count < 2) return count === 1 ? [0] : [];
  // The outer labels may be aligned with the plot's edges, so their neighbors need more room than centered labels.
  const every = Math.ceil(((1.5 * labelPx + GAP_PX) * (count - 1)) / plotPx);
  const gaps = Math.floor((count - 1) / every);
  if (gaps === 0 || plotPx < 2 * labelPx + GAP_PX) return [count - 1];
  return Array.from({ length: gaps + 1 }, (_, index) => Math.round((index * (count - 1)) / gaps));
}

/** Estimates the width of a label. */
export function textWidth(text: string): number {
  return Math.ceil(text.length * CHARACTER_PX);
}

/** The edges of the plot, in pixels. */
interface Edges {
  left: number;
  right: number;
}

/** Returns the position of the label for a point at `x`: centered, or at an edge of the plot that it would extend beyond. */
export function labelPosition(x: number, text: string, { left, right }: Edges) {
  const half = textWidth(text) / 2;
  if (x + half > right) return { x: right, textAnchor: 'end' } as const;
  if (x - half < left) return { x: left, textAnchor: 'start' } as const;
  return { x, textAnchor: 'middle' } as const;
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
