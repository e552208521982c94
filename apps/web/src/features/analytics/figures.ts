import { formatCount } from '../../lib/format.ts';
import { formatMoney } from '../../lib/price.ts';
import { formatShortCount, formatShortMoney } from './format.ts';
import type { Point } from './points.ts';

/** One of the figures that are followed over time. */
export interface Figure {
  key: 'revenue' | 'messages' | 'products_sent' | 'purchases';
  label: string;
  /** Amounts flow; things are counted one by one. */
  shape: 'area' | 'bars';
  isMoney: boolean;
  format: (value: number) => string;
  /** As an axis has room for it. */
  formatShort: (value: number) => string;
  emptyText: string;
}

const counted = {
  shape: 'bars',
  isMoney: false,
  format: formatCount,
  formatShort: formatShortCount,
} as const;

/** The figures in the order in which they are shown. */
export const FIGURES: readonly Figure[] = [
  {
    key: 'revenue',
    label: 'Revenue',
    shape: 'area',
    isMoney: true,
    format: formatMoney,
    formatShort: formatShortMoney,
    emptyText: 'No revenue in this range',
  },
  {
    ...counted,
    key: 'messages',
    label: 'Messages',
    shape: 'area',
    emptyText: 'No messages in this range',
  },
  {
    ...counted,
    key: 'products_sent',
    label: 'Products sent',
    emptyText: 'No products sent in this range',
  },
  { ...counted, key: 'purchases', label: 'Purchases', emptyText: 'No purchases in this range' },
];

/** What the points come to together. */
export function totalOf(points: readonly Point[], { key, isMoney }: Figure): number {
  const total = points.reduce((sum, point) => sum + point[key], 0);
  // Sums of decimals carry an error far below a cent.
  return isMoney ? Math.round(total * 100) / 100 : total;
}

/** What a chart of the points shows, in a sentence or two. */
export function summaryOf(points: readonly Point[], figure: Figure): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return figure.emptyText;
  const total = totalOf(points, figure);
  if (total === 0) return `${first.label} to ${last.label}: ${figure.emptyText.toLowerCase()}.`;
  const highest = points.reduce((best, point) =>
    point[figure.key] > best[figure.key] ? point : best,
  );
  return `${first.label} to ${last.label}: ${figure.format(total)} in all. The most was ${figure.format(highest[figure.key])}, on ${highest.label}.`;
}
