interface Identified {
  readonly id: string;
}

/** A list as it is shown while its order is held still. */
export interface HeldOrder<Row extends Identified> {
  rows: readonly Row[];
  /** Rows that came, went or moved meanwhile, which the shown order does not follow yet. */
  updates: number;
}

/**
 * Keeps the shown order while the list lives on: rows show their newest state in the place they had, also those that left;
 * rows behind the last known one (the next page) are added.
 */
export function holdOrder<Row extends Identified>(
  shown: readonly Row[],
  live: readonly Row[],
): HeldOrder<Row> {
  const shownIds = new Set(shown.map(({ id }) => id));
  const newest = new Map(live.map((row) => [row.id, row]));
  const lastKnown = live.findLastIndex(({ id }) => shownIds.has(id));
  const added = live.slice(lastKnown + 1);
  const known = live.slice(0, lastKnown + 1);
  const stayed = known.filter(({ id }) => shownIds.has(id)).map(({ id }) => id);
  const came = known.length - stayed.length;
  const left = shown.length - stayed.length;
  const moved = stayed.length - longestInOrder(shown, stayed);
  return {
    rows: [...shown.map((row) => newest.get(row.id) ?? row), ...added],
    updates: came + left + moved,
  };
}

/** How many of the ids can stay where they are: the longest run of them that is in the shown order already. */
function longestInOrder(shown: readonly Identified[], ids: readonly string[]): number {
  const places = new Map(shown.map(({ id }, place) => [id, place]));
  // The smallest last place of an ordered run, by its length.
  const ends: number[] = [];
  for (const id of ids) {
    const place = places.get(id) ?? 0;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    ends[low] = place;
  }
  return ends.length;
}

/**
 * Keeps the selected row in a list that it no longer belongs to, behind the row it was shown after: an unread
 * conversation does not vanish from 'Unread' by being opened.
 */
export function keepSelected<Row extends Identified>(
  shown: readonly Row[],
  live: readonly Row[],
  selected: Row | null,
): readonly Row[] {
  if (selected === null || live.some(({ id }) => id === selected.id)) return live;
  const place = shown.findIndex(({ id }) => id === selected.id);
  if (place === -1) return live;
  const before = shown.slice(0, place).findLast(({ id }) => live.some((row) => row.id === id));
  const behind = before ? live.findIndex(({ id }) => id === before.id) : -1;
  return live.toSpliced(behind + 1, 0, selected);
}
