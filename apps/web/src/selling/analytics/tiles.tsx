import { formatMoney } from '@stagedoor/browser/money';
import type { AnalyticsOverview } from '@stagedoor/contract/selling/analytics';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { conversionTone, formatRate } from '../charts/format.ts';

const TILES: readonly { label: string; value: (overview: AnalyticsOverview) => ReactNode }[] = [
  { label: t('Total Messages'), value: ({ total_messages }) => formatCount(total_messages) },
  {
    label: t('Products Sent'),
    value: ({ total_products_sent }) => formatCount(total_products_sent),
  },
  { label: t('Purchases'), value: ({ total_purchases }) => formatCount(total_purchases) },
  { label: t('Revenue'), value: ({ total_revenue }) => formatMoney(total_revenue) },
  {
    label: t('Avg Purchase Value'),
    value: ({ average_purchase_value }) => formatMoney(average_purchase_value),
  },
  { label: t('Conversion Rate'), value: ({ conversion_rate }) => <Rate rate={conversion_rate} /> },
];

/** The six figures of the range; placeholders without an overview. */
export function Tiles({ overview }: { overview: AnalyticsOverview | null }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line @min-[560px]:grid-cols-3 @min-[960px]:grid-cols-1 @min-[960px]:auto-rows-fr">
      {TILES.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 flex-col justify-center bg-surface px-4 py-3">
          <dt className="truncate text-meta text-fg-2">{label}</dt>
          <dd className="mt-0.5 text-metric font-semibold tracking-tight wrap-anywhere tabular-nums">
            {overview ? value(overview) : <Skeleton className="my-1 h-5 w-20" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const RATE_TONES = {
  good: 'bg-good-bg text-good',
  warn: 'bg-warn-bg text-warn',
  neutral: 'bg-neutral-bg text-neutral',
} as const;

function Rate({ rate }: { rate: number }) {
  return (
    <span
      className={classes('-ms-2 inline-block rounded-chip px-2', RATE_TONES[conversionTone(rate)])}
    >
      {formatRate(rate)}
    </span>
  );
}
