import { t } from '../../lib/text/i18n.ts';

const DAYS = { '7': 7, '30': 30, '90': 90, all: null } as const;

/** How far back the figures reach: so many days, today included, or all time. */
export type Range = keyof typeof DAYS;

/** The ranges in the order in which they are offered. */
export const RANGES: readonly { range: Range; label: string }[] = [
  { range: '7', label: t('7 days') },
  { range: '30', label: t('30 days') },
  { range: '90', label: t('90 days') },
  { range: 'all', label: t('All time') },
];

const DEFAULT_RANGE: Range = '30';

/** What an address's query names by `range`; the default where it names none that there is. */
export function rangeOf(search: string): Range {
  const named = new URLSearchParams(search).get('range');
  return RANGES.find(({ range }) => range === named)?.range ?? DEFAULT_RANGE;
}

/** Which sales are shown. @param whose the same without the range */
export function salesInWords(whose: string, range: Range): string {
  switch (range) {
    case '7':
      return t('{whose} in the last 7 days', { whose });
    case '30':
      return t('{whose} in the last 30 days', { whose });
    case '90':
      return t('{whose} in the last 90 days', { whose });
    case 'all':
      return t('{whose} of all time', { whose });
  }
}

/** An address's query with another range; all else in it stays. */
export function withRange(search: string, range: Range): string {
  const params = new URLSearchParams(search);
  params.set('range', range);
  return `?${params}`;
}

/** What the server is asked: from when on, and whose days count. */
export interface RangeQuery {
  /** ISO timestamp of the first day's midnight where the viewer is; left out for all time. */
  start_date?: string;
  /** IANA name of the viewer's time zone. */
  tz: string;
}

/** The query for a range that ends now. @param now in milliseconds */
export function rangeQuery(range: Range, now: number): RangeQuery {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const days = DAYS[range];
  if (days === null) return { tz };
  const today = new Date(now);
  // By the calendar and not by hours: a day on which the clocks change has 23 or 25.
  const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (days - 1));
  return { start_date: first.toISOString(), tz };
}
