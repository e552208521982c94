import { describe, expect, it } from 'vitest';
import { type SortValue, sortRows } from './sort-rows.ts';

const itself = (value: SortValue) => value;

describe('rows of a table', () => {
  it('sort numbers by size in either direction', () => {
    expect(sortRows([9, 100, 25.5], itself, 'ascending')).toEqual([9, 25.5, 100]);
    expect(sortRows([9, 100, 25.5], itself, 'descending')).toEqual([100, 25.5, 9]);
  });

  it('sort texts ignoring case, with numbers in them by size', () => {
    expect(sortRows(['set 10', 'Set 9', 'álbum'], itself, 'ascending')).toEqual([
      'álbum',
      'Set 9',
      'set 10',
    ]);
  });

  it('put unknown values last in either direction', () => {
    expect(sortRows([null, 2, 1], itself, 'ascending')).toEqual([1, 2, null]);
    expect(sortRows([null, 1, 2], itself, 'descending')).toEqual([2, 1, null]);
  });

  it('keep their order if they are equal', () => {
    const rows = [
      { id: 'a', value: 1 },
      { id: 'b', value: 2 },
      { id: 'c', value: 1 },
    ];
    const ids = (direction: 'ascending' | 'descending') =>
      sortRows(rows, (row) => row.value, direction).map(({ id }) => id);
    expect(ids('ascending')).toEqual(['a', 'c', 'b']);
    expect(ids('descending')).toEqual(['b', 'a', 'c']);
  });

  it('are not changed in place', () => {
    const rows = [2, 1];
    sortRows(rows, itself, 'ascending');
    expect(rows).toEqual([2, 1]);
  });
});
