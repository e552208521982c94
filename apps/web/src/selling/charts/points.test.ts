import type { AnalyticsDay } from '@stagedoor/contract/selling/analytics';
import { describe, expect, it } from 'vitest';
import { FIGURES, summaryOf, totalOf } from './figures.ts';
import { isQuiet, pointsOf, spanOf, stepFor } from './points.ts';

const DAY_MS = 86_400_000;

function buildSeries(first: string, days: number, of: Partial<AnalyticsDay> = {}): AnalyticsDay[] {
  return Array.from({ length: days }, (_, index) => ({
    date: new Date(Date.parse(first) + index * DAY_MS).toISOString().slice(0, 10),
    messages: 2,
    products_sent: 1,
    purchases: 1,
    revenue: 0.1,
    ...of,
  }));
}

const [revenue] = FIGURES;
if (!revenue) throw new Error('No revenue figure');

describe('the points of a chart', () => {
  it('are days up to 120 days, weeks up to two years, then months', () => {
    expect([7, 90, 120, 121, 732, 733].map(stepFor)).toEqual([
      'day',
      'day',
      'day',
      'week',
      'week',
      'month',
    ]);
  });

  it('match the days of the series, the last of which is incomplete', () => {
    const points = pointsOf(buildSeries('2026-11-20', 2), 'day');
    expect(points.map(({ label, shortLabel }) => [label, shortLabel])).toEqual([
      ['Fri, Nov 20, 2026', 'Nov 20'],
      ['Sat, Nov 21, 2026 (so far)', 'Nov 21'],
    ]);
  });

  it('are weeks from Monday, except partial ones at the ends', () => {
    const points = pointsOf(buildSeries('2026-11-07', 15), 'week');
    expect(points.map(({ date, messages }) => [date, messages])).toEqual([
      ['2026-11-07', 4],
      ['2026-11-09', 14],
      ['2026-11-16', 12],
    ]);
    // Ranges contain thin spaces.
    expect(points.map(({ label }) => label.replaceAll('\u2009', ' '))).toEqual([
      'Nov 7 – 8, 2026',
      'Nov 9 – 15, 2026',
      'Nov 16 – 21, 2026 (so far)',
    ]);
  });

  it('keep a week that spans two years in one piece', () => {
    expect(pointsOf(buildSeries('2026-12-28', 7), 'week')).toHaveLength(1);
  });

  it('are calendar months', () => {
    const points = pointsOf(buildSeries('2026-10-30', 4), 'month');
    expect(
      points.map(({ label, shortLabel, purchases }) => [label, shortLabel, purchases]),
    ).toEqual([
      ['October 2026', 'Oct 2026', 2],
      ['November 2026 (so far)', 'Nov 2026', 2],
    ]);
  });

  it('neither lose nor add anything: cents add up exactly', () => {
    const series = buildSeries('2025-01-01', 300);
    for (const step of ['day', 'week', 'month'] as const) {
      const points = pointsOf(series, step);
      expect(totalOf(points, revenue)).toBe(30);
      expect(points.every((point) => Number.isInteger(point.revenue * 10))).toBe(true);
    }
  });

  it('are empty for an empty series', () => {
    expect(pointsOf([], 'day')).toEqual([]);
    expect(spanOf([])).toBe('');
  });
});

describe('a series', () => {
  it('is quiet when nothing happened', () => {
    const nothing = { messages: 0, products_sent: 0, purchases: 0, revenue: 0 };
    expect(isQuiet(buildSeries('2026-11-01', 7, nothing))).toBe(true);
    expect(isQuiet(buildSeries('2026-11-01', 7, { ...nothing, messages: 1 }))).toBe(false);
    expect(isQuiet([])).toBe(true);
  });

  it('has a summary in words', () => {
    const series = buildSeries('2026-11-19', 3);
    if (series[1]) series[1].revenue = 12.5;
    expect(summaryOf(pointsOf(series, 'day'), revenue)).toBe(
      'Thu, Nov 19, 2026 to Sat, Nov 21, 2026 (so far): $12.70 in total. Peak: $12.50 (Fri, Nov 20, 2026).',
    );
  });
});
