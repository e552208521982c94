import { describe, expect, it } from 'vitest';
import { isFiltering, NO_FILTER, queryOf } from './filter.ts';

describe('the filter of the audit log', () => {
  it('asks for everything when it is empty', () => {
    expect(queryOf(NO_FILTER)).toEqual({});
    expect(isFiltering(NO_FILTER)).toBe(false);
  });

  it('asks for whole days, the last one included', () => {
    expect(queryOf({ ...NO_FILTER, firstDay: '2026-11-20', lastDay: '2026-11-30' })).toEqual({
      from: new Date(2026, 10, 20).toISOString(),
      to: new Date(2026, 11, 1).toISOString(),
    });
  });

  it('leaves out a day that is not typed to the end', () => {
    expect(queryOf({ ...NO_FILTER, firstDay: '2026-11', action: 'product' })).toEqual({
      action: 'product',
    });
  });
});
