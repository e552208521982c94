import { describe, expect, it } from 'vitest';
import { offsetsOf, rowAt, rowHeight, shiftOf, windowOf } from './row-window.ts';

const offsets = offsetsOf([72, 88, 72, 72]);

describe('the window of rendered rows', () => {
  it('has each row’s position and the total height', () => {
    expect(offsets).toEqual([0, 72, 160, 232, 304]);
  });

  it('has fixed row heights, with tags and in a compact list', () => {
    expect([rowHeight(false, false), rowHeight(false, true)]).toEqual([72, 88]);
    expect([rowHeight(true, false), rowHeight(true, true)]).toEqual([52, 52]);
  });

  it('finds the row at a position, edges included', () => {
    expect([0, 71, 72, 159, 160, 303].map((top) => rowAt(offsets, top))).toEqual([
      0, 0, 1, 1, 2, 3,
    ]);
  });

  it('finds the nearest row for a position outside the list', () => {
    expect(rowAt(offsets, -50)).toBe(0);
    expect(rowAt(offsets, 9_999)).toBe(3);
    expect(rowAt([0], 10)).toBe(0);
  });

  it('contains the rows in view and some beyond, however many rows there are', () => {
    const many = offsetsOf(Array.from({ length: 10_000 }, () => 72));
    expect(windowOf(many, 7_200, 7_920)).toEqual({ first: 92, end: 119 });
    expect(windowOf(offsets, 0, 600)).toEqual({ first: 0, end: 4 });
    expect(windowOf([0], 0, 600)).toEqual({ first: 0, end: 0 });
  });

  it('shifts by the height inserted above the rows in view', () => {
    const before = new Map([
      ['a', 0],
      ['b', 72],
      ['c', 144],
    ]);
    const after = new Map([
      ['a', 72],
      ['b', 144],
      ['c', 216],
    ]);
    expect(shiftOf(before, after)).toBe(72);
  });

  it('does not follow a single row that moved away', () => {
    const before = new Map([
      ['a', 720],
      ['b', 792],
      ['c', 864],
    ]);
    const after = new Map([
      ['a', 0],
      ['b', 792],
      ['c', 864],
    ]);
    expect(shiftOf(before, after)).toBe(0);
  });
});
