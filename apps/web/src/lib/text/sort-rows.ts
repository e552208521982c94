import { locale } from './i18n.ts';

export type SortDirection = 'ascending' | 'descending';

/** What a row is sorted by. Null, for nothing known, comes last whichever the direction. */
export type SortValue = string | number | null;

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

/** The rows in order of a value; those with the same keep the order they came in. */
export function sortRows<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => SortValue,
  direction: SortDirection,
): Row[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return [...rows].sort((a, b) => {
    const [left, right] = [sortBy(a), sortBy(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * compare(left, right);
  });
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return collator.compare(String(left), String(right));
}
