import { describe, expect, it } from 'vitest';
import { isFiltering, NO_FILTER, queryOf } from './filter.ts';

describe('the filter of the audit log', () => {
  it('is empty by default', () => {
    expect(queryOf(NO_FILTER)).toEqual({});
    expect(isFiltering(NO_FILTER)).toBe(false);
  });

  it('covers whole days, including the last one', () => {
    expect(queryOf({ ...NO_FILTER, firstDay: '2026-11-20', lastDay: '2026-11-30' })).toEqual({
      from: new Date(2026, 10, 20).toISOString(),
      to: new Date(2026, 11, 1).toISOString(),
    });
  });

  it('ignores an incomplete date', () => {
    expect(queryOf({ ...NO_FILTER, firstDay: '2026-11', action: 'product' })).toEqual({
      action: 'product',
    });
  });
});
