import { describe, expect, it } from 'vitest';
import { type HeldOrder, holdOrder, keepSelected } from './held-order.ts';

const rowsOf = (ids: string) => [...ids].map((id) => ({ id, version: 1 }));
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join('');

describe('a list whose order is held', () => {
  it('keeps the shown order and counts a row that moved up as one update', () => {
    const held = holdOrder(rowsOf('abcde'), rowsOf('eabcd'));
    expect(idsOf(held.rows)).toBe('abcde');
    expect(held.updates).toBe(1);
  });

  it('shows the newest state of each row at its old index', () => {
    const held = holdOrder(rowsOf('ab'), [
      { id: 'b', version: 2 },
      { id: 'a', version: 1 },
    ]);
    expect(held.rows).toEqual([
      { id: 'a', version: 1 },
      { id: 'b', version: 2 },
    ]);
  });

  it('holds a new row back and counts it', () => {
    const held = holdOrder(rowsOf('abc'), rowsOf('xabc'));
    expect(idsOf(held.rows)).toBe('abc');
    expect(held.updates).toBe(1);
  });

  it('keeps a row that was removed, and counts it', () => {
    const held = holdOrder(rowsOf('abc'), rowsOf('ac'));
    expect(idsOf(held.rows)).toBe('abc');
    expect(held.updates).toBe(1);
  });

  it('adds the next page at the end without counting it', () => {
    const held = holdOrder(rowsOf('abc'), rowsOf('abcdef'));
    expect(idsOf(held.rows)).toBe('abcdef');
    expect(held.updates).toBe(0);
  });

  it('counts nothing if only contents changed', () => {
    expect(holdOrder(rowsOf('abc'), rowsOf('abc')).updates).toBe(0);
  });

  it('counts two swapped rows as one move', () => {
    expect(holdOrder(rowsOf('abcd'), rowsOf('bacd')).updates).toBe(1);
  });

  it('continues from the previous order, even after a page was added', () => {
    const lists = ['cab', 'cabde', 'dcab', 'decabfg'];
    let held: HeldOrder<{ id: string; version: number }> = { rows: rowsOf('abc'), updates: 0 };
    const shown = lists.map((live) => {
      const fresh = holdOrder(held.rows, rowsOf(live));
      held = holdOrder(held.rows, rowsOf(live), held.indices);
      expect(held).toEqual(fresh);
      return `${idsOf(held.rows)} ${held.updates}`;
    });
    expect(shown).toEqual(['abc 1', 'abcde 1', 'abcde 3', 'abcdefg 3']);
  });
});

describe('the selected row', () => {
  it('stays after its neighbor when it leaves the list', () => {
    expect(idsOf(keepSelected(rowsOf('abcd'), rowsOf('abd'), { id: 'c', version: 2 }))).toBe(
      'abcd',
    );
  });

  it('stays after another neighbor when that one left too', () => {
    expect(idsOf(keepSelected(rowsOf('abcd'), rowsOf('ad'), { id: 'c', version: 2 }))).toBe('acd');
  });

  it('stays first if it was first', () => {
    expect(idsOf(keepSelected(rowsOf('abc'), rowsOf('bc'), { id: 'a', version: 2 }))).toBe('abc');
  });

  it('is not added to a list that never showed it', () => {
    expect(idsOf(keepSelected(rowsOf('ab'), rowsOf('ab'), { id: 'z', version: 1 }))).toBe('ab');
  });

  it('follows the list if it belongs there', () => {
    expect(idsOf(keepSelected(rowsOf('abc'), rowsOf('cab'), { id: 'c', version: 1 }))).toBe('cab');
  });
});
