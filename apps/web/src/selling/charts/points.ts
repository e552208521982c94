import type { AnalyticsDay } from '@stagedoor/contract/selling/analytics';
import { locale, t } from '../../lib/text/i18n.ts';

/** The period of a chart point. */
export type Step = 'day' | 'week' | 'month';

/** The charts' title by step. */
export const ACTIVITY_BY: Readonly<Record<Step, string>> = {
  day: t('Activity by Day'),
  week: t('Activity by Week'),
  month: t('Activity by Month'),
};

/** The activity of a day, week or month. */
export interface Point {
  /** The first day, `YYYY-MM-DD`. */
  date: string;
  /** The period in full, and whether it is still running. */
  label: string;
  /** The short form for the axis. */
  shortLabel: string;
  messages: number;
  products_sent: number;
  purchases: number;
  /** USD. */
  revenue: number;
}

/** The longest range, in days, that is shown by day. With more points, a finger can't pick a single point. */
const MOST_DAYS = 120;
const MOST_WEEKS_IN_DAYS = 2 * 366;

const dayFormat = format({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
const weekFormat = format({ month: 'short', day: 'numeric', year: 'numeric' });
const monthFormat = format({ month: 'long', year: 'numeric' });
const axisDay = format({ month: 'short', day: 'numeric' });
const axisMonth = format({ month: 'short', year: 'numeric' });

/** Formats in UTC, because the server has already split the days in the viewer's time zone. */
function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
}

export function stepFor(days: number): Step {
  if (days <= MOST_DAYS) return 'day';
  return days <= MOST_WEEKS_IN_DAYS ? 'week' : 'month';
}

/** Groups the series into points by day, week (from Monday) or month. The last point's period is still running. */
export function pointsOf(series: readonly AnalyticsDay[], step: Step): Point[] {
  const groups: AnalyticsDay[][] = [];
  let last: string | null = null;
  for (const day of series) {
    const start = startOf(day.date, step);
    if (start !== last) groups.push([]);
    last = start;
    groups.at(-1)?.push(day);
  }
  return groups.map((days, index) => {
    const point = pointOf(days, step);
    if (index < groups.length - 1) return point;
    return { ...point, label: t('{time} (so far)', { time: point.label }) };
  });
}

/** Returns whether the series has no activity at all. */
export function isQuiet(series: readonly AnalyticsDay[]): boolean {
  return series.every(
    (day) => !day.messages && !day.products_sent && !day.purchases && !day.revenue,
  );
}

/** Returns the series' date range in words, or an empty string for an empty series. */
export function spanOf(series: readonly AnalyticsDay[]): string {
  const [first] = series;
  const last = series.at(-1);
  return first && last ? weekFormat.formatRange(utc(first.date), utc(last.date)) : '';
}

function pointOf(days: readonly AnalyticsDay[], step: Step): Point {
  const date = days[0]?.date ?? '';
  const sum = (figure: (day: AnalyticsDay) => number) =>
    days.reduce((total, day) => total + figure(day), 0);
  return {
    date,
    ...labelsOf(days, step),
    messages: sum((day) => day.messages),
    products_sent: sum((day) => day.products_sent),
    purchases: sum((day) => day.purchases),
    // Floating-point sums are off by far less than a cent.
    revenue: Math.round(sum((day) => day.revenue) * 100) / 100,
  };
}

function labelsOf(days: readonly AnalyticsDay[], step: Step) {
  const first = utc(days[0]?.date ?? '');
  if (step === 'day') return { label: dayFormat.format(first), shortLabel: axisDay.format(first) };
  if (step === 'week') return { label: spanOf(days), shortLabel: axisDay.format(first) };
  return { label: monthFormat.format(first), shortLabel: axisMonth.format(first) };
}

function startOf(date: string, step: Step): string {
  if (step === 'day') return date;
  if (step === 'month') return date.slice(0, 7);
  const day = new Date(utc(date));
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString();
}

function utc(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
