import { formatMoney } from '@stagedoor/browser/money';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { formatShortCount, formatShortMoney } from './format.ts';
import type { Point } from './points.ts';

/** A figure that is shown over time. */
export interface Figure {
  key: 'revenue' | 'messages' | 'products_sent' | 'purchases';
  label: string;
  /** Area for amounts, bars for counts. */
  shape: 'area' | 'bars';
  isMoney: boolean;
  format: (value: number) => string;
  /** The short form for the axis. */
  formatShort: (value: number) => string;
  emptyText: string;
  /** The summary of a chart without any activity, with its time span. */
  emptySummary: (span: Span) => string;
}

/** The labels of the first and last point. */
type Span = Readonly<Record<'from' | 'to', string>>;

const counted = {
  shape: 'bars',
  isMoney: false,
  format: formatCount,
  formatShort: formatShortCount,
} as const;

/** The figures in display order. */
export const FIGURES: readonly Figure[] = [
  {
    key: 'revenue',
    label: t('Revenue'),
    shape: 'area',
    isMoney: true,
    format: formatMoney,
    formatShort: formatShortMoney,
    emptyText: t('No revenue in this range'),
    emptySummary: (span) => t('{from} to {to}: no revenue in this range.', span),
  },
  {
    ...counted,
    key: 'messages',
    label: t('Messages'),
    shape: 'area',
    emptyText: t('No messages in this range'),
    emptySummary: (span) => t('{from} to {to}: no messages in this range.', span),
  },
  {
    ...counted,
    key: 'products_sent',
    label: t('Products Sent'),
    emptyText: t('No products sent in this range'),
    emptySummary: (span) => t('{from} to {to}: no products sent in this range.', span),
  },
  {
    ...counted,
    key: 'purchases',
    label: t('Purchases'),
    emptyText: t('No purchases in this range'),
    emptySummary: (span) => t('{from} to {to}: no purchases in this range.', span),
  },
];

/** Returns the sum of the points. */
export function totalOf(points: readonly Point[], { key, isMoney }: Figure): number {
  const total = points.reduce((sum, point) => sum + point[key], 0);
  // Floating-point sums are off by far less than a cent.
  return isMoney ? Math.round(total * 100) / 100 : total;
}

/** Returns a chart's summary in one or two sentences. */
export function summaryOf(points: readonly Point[], figure: Figure): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return figure.emptyText;
  const span = { from: first.label, to: last.label };
  const total = totalOf(points, figure);
  if (total === 0) return figure.emptySummary(span);
  const highest = points.reduce((best, point) =>
    point[figure.key] > best[figure.key] ? point : best,
  );
  return t('{from} to {to}: {total} in total. Peak: {most} ({when}).', {
    ...span,
    total: figure.format(total),
    most: figure.format(highest[figure.key]),
    when: highest.label,
  });
}
