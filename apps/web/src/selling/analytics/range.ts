import { t } from '../../lib/text/i18n.ts';

const DAYS = { '7': 7, '30': 30, '90': 90, all: null } as const;

/** The range of the figures: a number of days including today, or all time. */
export type Range = keyof typeof DAYS;

/** The ranges in display order. */
export const RANGES: readonly { value: Range; label: string }[] = [
  { value: '7', label: t('7 days') },
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: 'all', label: t('All time') },
];

const DEFAULT_RANGE: Range = '30';

/** Returns the range in a URL's query, or the default if it is missing or unknown. */
export function rangeOf(search: string): Range {
  const named = new URLSearchParams(search).get('range');
  return RANGES.find(({ value }) => value === named)?.value ?? DEFAULT_RANGE;
}

/**
 * Returns the title of a list of sales.
 * @param whose the filter in words
 */
export function salesInWords(whose: string, range: Range): string {
  switch (range) {
    case '7':
      return t('{sales} · last 7 days', { sales: whose });
    case '30':
      return t('{sales} · last 30 days', { sales: whose });
    case '90':
      return t('{sales} · last 90 days', { sales: whose });
    case 'all':
      return t('{sales} · all time', { sales: whose });
  }
}

/** Returns a URL's query with another range. Other parameters stay. */
export function withRange(search: string, range: Range): string {
  const params = new URLSearchParams(search);
  params.set('range', range);
  return `?${params}`;
}

/** The query of the API: the start and the time zone of the days. */
export interface RangeQuery {
  /** Midnight of the first day in the viewer's time zone, as an ISO timestamp; omitted for all time. */
  start_date?: string;
  /** The IANA name of the viewer's time zone. */
  tz: string;
}

/**
 * Returns the query for a range that ends now.
 * @param now in milliseconds
 */
export function rangeQuery(range: Range, now: number): RangeQuery {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const days = DAYS[range];
  if (days === null) return { tz };
  const today = new Date(now);
  // Calendar arithmetic, because a day with a clock change has 23 or 25 hours.
  const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - (days - 1));
  return { start_date: first.toISOString(), tz };
}
