/** Heights in pixels, fixed so that row positions are known without measuring. */
const ROW_HEIGHT = 72;
const ROW_WITH_TAGS_HEIGHT = 88;
const COMPACT_ROW_HEIGHT = 52;

/** Returns the height of a row in pixels. A compact row has its tags beside the text, not below it. */
export function rowHeight(isCompact: boolean, hasTags: boolean): number {
  if (isCompact) return COMPACT_ROW_HEIGHT;
  return hasTags ? ROW_WITH_TAGS_HEIGHT : ROW_HEIGHT;
}

/** Rows rendered beyond each edge, so that a quick scroll shows no empty space. */
const OVERSCAN = 8;

/** Returns the tops of rows with these heights, followed by the total height. */
export function offsetsOf(heights: readonly number[]): number[] {
  const offsets = [0];
  for (const height of heights) offsets.push((offsets.at(-1) ?? 0) + height);
  return offsets;
}

/** Returns the row at a vertical position; the nearest row if the position is outside the list. */
export function rowAt(offsets: readonly number[], top: number): number {
  let low = 0;
  let high = Math.max(0, offsets.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= top) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The rows to render, from `first` to before `end`. */
export interface RowWindow {
  first: number;
  end: number;
}

/** Returns the rows to render between `top` and `bottom`, plus `overscan` rows on each side. */
export function windowOf(
  offsets: readonly number[],
  top: number,
  bottom: number,
  overscan = OVERSCAN,
): RowWindow {
  const count = offsets.length - 1;
  if (count === 0 || bottom <= top) return { first: 0, end: Math.min(count, OVERSCAN) };
  return {
    first: Math.max(0, rowAt(offsets, top) - overscan),
    end: Math.min(count, rowAt(offsets, bottom) + 1 + overscan),
  };
}

/**
 * Returns the distance that the rows in view moved when the list changed above them. Scrolling by that distance keeps them in
 * place. The median is used, so that a single row that moved elsewhere has no effect.
 */
export function shiftOf(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): number {
  const shifts: number[] = [];
  for (const [id, offset] of before) {
    const now = after.get(id);
    if (now !== undefined) shifts.push(now - offset);
  }
  return shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0;
}
