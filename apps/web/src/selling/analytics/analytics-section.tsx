import type { EndpointReply } from '@stagedoor/contract/endpoint';
import type { analyticsOverview } from '@stagedoor/contract/selling/analytics';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { useSteady } from '../../lib/use-steady.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Segments } from '../../ui/form/segments.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { spanOf } from '../charts/points.ts';
import { comparedText } from './change.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Overview, type ShownSales } from './overview.tsx';
import { AnalyticsPlaceholders } from './placeholders.tsx';
import { overviewOptions } from './queries.ts';
import { RANGES, type Range, rangeOf, rangeQuery, salesInWords, withRange } from './range.ts';
import { SalesDialog } from './sales-dialog.tsx';

/** The analytics page. The range is in the URL. While another range loads, the previous figures stay visible. */
export function AnalyticsSection() {
  const titleId = useId();
  const { search } = useLocation();
  const navigate = useNavigate();
  const range = rangeOf(search);
  const query = rangeQuery(range, useNow());
  const overview = useQuery(overviewOptions(query));
  const { data, error, isPending, isPlaceholderData } = overview;
  const showsPlaceholders = useSteady(isPending);
  const [sales, setSales] = useState<ShownSales | null>(null);
  const setRange = (next: Range) =>
    void navigate({ search: withRange(search, next) }, { replace: true });
  return (
    <section aria-labelledby={titleId} className="@container flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div>
          <h2 id={titleId} className="text-title font-semibold tracking-tight">
            {t('Analytics')}
          </h2>
          <p className="min-h-4 text-meta text-fg-3">
            {data && !isPlaceholderData && periodOf(data)}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2 max-md:*:first:w-full">
          <Segments label={t('Range')} options={RANGES} current={range} onChange={setRange} />
          <Button onClick={() => setSales({ filter: {}, whose: t('All Sales') })}>
            {t('View Sales')}
          </Button>
          <ExportMenu range={range} query={query} />
        </div>
      </div>
      {isPending && (
        <p role="status" className="sr-only">
          {t('Loading analytics...')}
        </p>
      )}
      {error && !data && !showsPlaceholders && (
        <QueryError query={overview} text={t('Failed to load analytics')} />
      )}
      {showsPlaceholders && <AnalyticsPlaceholders />}
      {data && !showsPlaceholders && (
        <div
          aria-busy={isPlaceholderData || undefined}
          className={classes(
            'flex flex-col gap-4 transition-opacity duration-80',
            isPlaceholderData && 'opacity-90',
          )}
        >
          <Overview data={data} onViewSales={setSales} />
        </div>
      )}
      {sales && (
        <SalesDialog
          query={query}
          filter={sales.filter}
          subtitle={salesInWords(sales.whose, range)}
          onClose={() => setSales(null)}
        />
      )}
    </section>
  );
}

function periodOf({ series, previous }: EndpointReply<typeof analyticsOverview>): string {
  const span = spanOf(series);
  return previous === null ? span : comparedText(span, series.length);
}
