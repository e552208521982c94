interface Identified {
  readonly id: string;
}

/** A list as shown while its order is held. */
export interface HeldOrder<Row extends Identified> {
  rows: readonly Row[];
  /** The number of added, removed or moved rows that the held order doesn't show yet. */
  updates: number;
  /** The index of each shown row, by id. Stays the same object while the order is held and no page is added. */
  indices?: ReadonlyMap<string, number>;
}

/**
 * Keeps the shown order while the list changes. Rows show their newest state at their old index, even if they left the list; rows
 * after the last known row (the next page) are appended.
 * @param indices the index of each shown row, if known from the previous call
 */
export function holdOrder<Row extends Identified>(
  shown: readonly Row[],
  live: readonly Row[],
  indices: ReadonlyMap<string, number> = indicesOf(shown),
): HeldOrder<Row> {
  const rows = [...shown];
  // The shown indices of the rows that are still in the list, in its new order.
  const stayed: number[] = [];
  let known = 0;
  live.forEach((row, at) => {
    const index = indices.get(row.id);
    if (index === undefined) return;
    rows[index] = row;
    stayed.push(index);
    known = at + 1;
  });
  const came = known - stayed.length;
  const left = shown.length - stayed.length;
  const moved = stayed.length - longestRise(stayed);
  const updates = came + left + moved;
  if (known === live.length) return { rows, updates, indices };
  const all = [...rows, ...live.slice(known)];
  return { rows: all, updates, indices: indicesOf(all) };
}

const indicesOf = (rows: readonly Identified[]) =>
  new Map(rows.map(({ id }, index) => [id, index]));

/** Returns the length of the longest increasing subsequence. */
function longestRise(numbers: readonly number[]): number {
  // At index n, the smallest number that ends an increasing subsequence of length n + 1.
  const ends: number[] = [];
  for (const number of numbers) {
    let high = ends.length;
    let low = (ends.at(-1) ?? -1) < number ? high : 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    ends[low] = number;
  }
  return ends.length;
}

/**
 * Keeps the selected row in a list that it no longer belongs to, below the same row as before. For example, an unread conversation
 * stays in 'Unread' when it is opened.
 */
export function keepSelected<Row extends Identified>(
  shown: readonly Row[],
  live: readonly Row[],
  selected: Row | null,
): readonly Row[] {
  if (selected === null || live.includes(selected)) return live;
  if (live.some(({ id }) => id === selected.id)) return live;
  const index = shown.findIndex(({ id }) => id === selected.id);
  if (index === -1) return live;
  const before = shown.slice(0, index).findLast(({ id }) => live.some((row) => row.id === id));
  const behind = before ? live.findIndex(({ id }) => id === before.id) : -1;
  return live.toSpliced(behind + 1, 0, selected);
}
