import { lazyPart } from '@stagedoor/browser/lazy-part';
import type { AnalyticsDay, AnalyticsOverview } from '@stagedoor/contract/selling/analytics';
import { ChartColumn, ChartNoAxesColumn, Table2 } from 'lucide-react';
import { Suspense, useId, useMemo, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PointTable } from '../charts/point-table.tsx';
import { ACTIVITY_BY, pointsOf, stepFor } from '../charts/points.ts';
import { type Before, Change } from './change.tsx';
import { ActivityPlaceholders } from './placeholders.tsx';

/** The chart library loads while the figures are already shown. */
const Charts = lazyPart(async () => (await import('../charts/charts.tsx')).Charts);

/** The name of each chart's total in the overview, keyed by the chart's figure. */
const TOTALS = {
  revenue: 'total_revenue',
  messages: 'total_messages',
  products_sent: 'total_products_sent',
  purchases: 'total_purchases',
} as const;

interface ActivityProps {
  series: readonly AnalyticsDay[];
  /** Whether there is no activity at all. */
  isEmpty: boolean;
  overview: AnalyticsOverview;
  before: Before | null;
}

/** The activity over time, as charts or as a table. */
export function Activity({ series, isEmpty, overview, before }: ActivityProps) {
  const titleId = useId();
  const [isTable, setTable] = useState(false);
  const step = stepFor(series.length);
  const points = useMemo(() => pointsOf(series, step), [series, step]);
  const Icon = isTable ? ChartColumn : Table2;
  return (
    <section
      aria-labelledby={titleId}
      className="flex min-w-0 flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      <header className="flex min-h-12 items-center justify-between gap-2 pe-2 ps-4">
        <h3 id={titleId} className="text-message font-semibold tracking-tight">
          {ACTIVITY_BY[step]}
        </h3>
        {!isEmpty && (
          <Button variant="ghost" size="small" icon={<Icon />} onClick={() => setTable(!isTable)}>
            {isTable ? t('Show as Charts') : t('Show as Table')}
          </Button>
        )}
      </header>
      {isEmpty ? (
        <div className="flex flex-1 items-center justify-center border-t border-line">
          <EmptyState
            icon={<ChartNoAxesColumn size={22} />}
            title={t('No activity in this range')}
          />
        </div>
      ) : isTable ? (
        <PointTable points={points} step={step} />
      ) : (
        <Suspense fallback={<ActivityPlaceholders />}>
          <Charts
            points={points}
            step={step}
            changeOf={
              before &&
              ((key) => <Change figure={TOTALS[key]} overview={overview} before={before} />)
            }
          />
        </Suspense>
      )}
    </section>
  );
}
