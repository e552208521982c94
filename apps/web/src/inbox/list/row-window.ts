/** Heights in pixels, fixed so that the list's places are known without measuring. */
const ROW_HEIGHT = 72;
const ROW_WITH_TAGS_HEIGHT = 88;
const COMPACT_ROW_HEIGHT = 52;

/** The height of a row in pixels. A compact one has its tags beside the rest, not below. */
export function rowHeight(isCompact: boolean, hasTags: boolean): number {
  if (isCompact) return COMPACT_ROW_HEIGHT;
  return hasTags ? ROW_WITH_TAGS_HEIGHT : ROW_HEIGHT;
}

/** Rows that are drawn beyond each edge, so that a quick scroll meets no empty space. */
const OVERSCAN = 8;

/** The tops of rows with these heights, and behind the last one the height of all. */
export function offsetsOf(heights: readonly number[]): number[] {
  const offsets = [0];
  for (const height of heights) offsets.push((offsets.at(-1) ?? 0) + height);
  return offsets;
}

/** The row at a place; the nearest one for a place outside of the list. */
export function rowAt(offsets: readonly number[], place: number): number {
  let low = 0;
  let high = Math.max(0, offsets.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The rows to draw for a viewport: from the first to before `end`. */
export interface RowWindow {
  first: number;
  end: number;
}

/** Which rows to draw for what is between `top` and `bottom`, and so many beyond. */
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
 * By how much the rows in view were pushed when the list changed above them: scrolling by it keeps what is being read in
 * place. The median, so that one row that itself moved away does not take the view along.
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
