import { formatMoney } from '@stagedoor/browser/money';
import type { AnalyticsOverview } from '@stagedoor/contract/selling/analytics';
import type { ReactNode } from 'react';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { conversionTone, formatRate } from '../charts/format.ts';
import { type Before, Change } from './change.tsx';

const TILES: readonly {
  figure: keyof AnalyticsOverview;
  label: string;
  format: (value: number) => ReactNode;
}[] = [
  { figure: 'total_messages', label: t('Total Messages'), format: formatCount },
  { figure: 'total_products_sent', label: t('Products Sent'), format: formatCount },
  { figure: 'total_purchases', label: t('Purchases'), format: formatCount },
  { figure: 'total_revenue', label: t('Revenue'), format: formatMoney },
  { figure: 'average_purchase_value', label: t('Avg Purchase Value'), format: formatMoney },
  {
    figure: 'conversion_rate',
    label: t('Conversion Rate'),
    format: (rate) => <Rate rate={rate} />,
  },
];

interface TilesProps {
  /** Null while it loads. */
  overview: AnalyticsOverview | null;
  before: Before | null;
}

/** The six figures of the range, and how they changed; placeholders without an overview. */
export function Tiles({ overview, before }: TilesProps) {
  return (
    <dl className="grid gap-px overflow-hidden rounded-card border border-line bg-line @min-[240px]:grid-cols-2 @min-[560px]:grid-cols-3 @min-[960px]:grid-cols-1 @min-[960px]:auto-rows-fr">
      {TILES.map(({ figure, label, format }) => (
        <div key={label} className="flex min-w-0 flex-col justify-center bg-surface px-4 py-3">
          <dt className="truncate text-meta text-fg-2">{label}</dt>
          <dd className="mt-0.5 text-metric font-semibold tracking-tight wrap-anywhere tabular-nums">
            {overview ? format(overview[figure]) : <Skeleton className="my-1 h-5 w-20" />}
          </dd>
          {overview && before && (
            <dd className="mt-0.5 text-badge text-balance">
              <Change figure={figure} overview={overview} before={before} />
            </dd>
          )}
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
