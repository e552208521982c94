import type { AnalyticsOverview, PreviousPeriod } from '@stagedoor/contract/selling/analytics';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { formatChange, formatPoints } from '../charts/format.ts';

/** The period before the one shown. */
export interface Before {
  overview: AnalyticsOverview;
  /** The length of both periods. */
  days: number;
}

/** Returns the previous period of the same length; null for All time. */
export const beforeOf = (previous: PreviousPeriod | null, days: number): Before | null =>
  previous && { overview: previous.overview, days };

interface ChangeProps {
  figure: keyof AnalyticsOverview;
  overview: AnalyticsOverview;
  before: Before;
}

/** How a figure changed from the previous period. Without earlier activity there is nothing to compare to. */
export function Change({ figure, overview, before: { overview: earlier, days } }: ChangeProps) {
  const isRate = figure === 'conversion_rate';
  // A rate of zero can be compared as long as something was sent.
  const isKnown = isRate ? earlier.total_products_sent > 0 : earlier[figure] > 0;
  if (!isKnown) {
    return (
      <span className="text-fg-3">
        {t('Nothing in the previous {days, plural, one {# day} other {# days}}', { days })}
      </span>
    );
  }
  const difference = overview[figure] - earlier[figure];
  const change = isRate
    ? t('{points} points', { points: formatPoints(difference) })
    : formatChange(difference / earlier[figure]);
  const isZero = !/[1-9\u0661-\u0669]/u.test(change);
  const Arrow = difference > 0 ? ArrowUp : ArrowDown;
  return (
    <>
      <span
        aria-hidden="true"
        className={classes(
          'font-medium whitespace-nowrap tabular-nums',
          isZero ? 'text-fg-2' : difference > 0 ? 'text-good' : 'text-danger-text',
        )}
      >
        {!isZero && (
          <Arrow size={12} strokeWidth={2} className="me-0.5 inline-block align-[-1px]" />
        )}
        <bdi>{change}</bdi>
      </span>
      <span className="sr-only">{comparedText(change, days)}</span>
    </>
  );
}

/** Adds the comparison to a change or a period: `+12% vs. previous 7 days`. */
export const comparedText = (change: string, days: number): string =>
  t('{change} vs. previous {days, plural, one {# day} other {# days}}', { change, days });
