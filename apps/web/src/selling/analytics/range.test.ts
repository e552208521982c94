import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rangeOf, rangeQuery, withRange } from './range.ts';

describe('the range in the URL', () => {
  it('is 30 days when the URL has no valid range', () => {
    expect(['', '?range=14', '?range=', '?other=7'].map(rangeOf)).toEqual(['30', '30', '30', '30']);
  });

  it('is read from the URL', () => {
    expect(['?range=7', '?range=30', '?range=90', '?range=all'].map(rangeOf)).toEqual([
      '7',
      '30',
      '90',
      'all',
    ]);
  });

  it('changes without affecting the rest of the URL', () => {
    expect(withRange('?tab=x&range=7', 'all')).toBe('?tab=x&range=all');
    expect(withRange('', '90')).toBe('?range=90');
  });
});

describe('the query to the server', () => {
  beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
  afterEach(() => void vi.unstubAllEnvs());

  it('starts at midnight in the viewer’s time zone, counting today as one day', () => {
    const now = Date.parse('2026-11-21T14:30:00+01:00');
    expect(rangeQuery('7', now)).toEqual({
      start_date: '2026-11-14T23:00:00.000Z',
      tz: 'Europe/Berlin',
    });
  });

  it('counts days, not hours, across a clock change', () => {
    const now = Date.parse('2026-11-21T00:10:00+01:00');
    // October 23 is still summer time.
    expect(rangeQuery('30', now).start_date).toBe('2026-10-22T22:00:00.000Z');
  });

  it('is the same all day', () => {
    const [early, late] = ['2026-11-21T00:00:00+01:00', '2026-11-21T23:59:59+01:00'].map((at) =>
      rangeQuery('90', Date.parse(at)),
    );
    expect(early).toEqual(late);
  });

  it('has no start date for all time', () => {
    expect(rangeQuery('all', Date.now())).toEqual({ tz: 'Europe/Berlin' });
  });
});
