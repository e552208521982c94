import { locale } from './i18n.ts';

export type SortDirection = 'ascending' | 'descending';

/** The value that a row is sorted by. Null means unknown and comes last in both directions. */
export type SortValue = string | number | null;

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

/** Returns the rows sorted by a value. The sort is stable. */
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
