import { describe, expect, it } from 'vitest';
import { gridShape, gridWindow } from './grid-window.ts';

describe('the grid', () => {
  it.each([
    [358, 2],
    [691, 2],
    [692, 3],
    [1_188, 5],
    [120, 2],
    [0, 2],
  ])(
    '%i pixels wide has %i columns of at least 220 pixels, or two on a phone',
    (width, columns) => {
      expect(gridShape(width).columns).toBe(columns);
    },
  );

  it.each([
    [358, 2],
    [568, 1],
    [1_188, 2],
  ])('%i pixels wide has cards with %i lines of title', (width, lines) => {
    const { titleLines, rowHeight, pictureHeight } = gridShape(width);
    expect(titleLines).toBe(lines);
    expect(rowHeight - pictureHeight).toBe(88 + 20 * lines);
  });

  it('renders the rows in view and a few more, and leaves space for the rest', () => {
    const shape = gridShape(692);
    const pitch = shape.rowHeight + shape.gap;
    const view = gridWindow(shape, 1_000, { top: 20 * pitch, bottom: 23 * pitch });
    expect(view).toEqual({
      first: 18 * 3,
      end: 25 * 3,
      before: 18 * pitch,
      after: (334 - 25) * pitch,
    });
  });

  it('renders no more rows than there are', () => {
    const shape = gridShape(692);
    const all = { first: 0, end: 4, before: 0, after: 0 };
    expect(gridWindow(shape, 4, { top: -500, bottom: 5_000 })).toEqual(all);
    expect(gridWindow(shape, 0, { top: 0, bottom: 900 })).toEqual({ ...all, end: 0 });
  });

  it('renders the last rows when the view is beyond them, for example after a search', () => {
    const view = gridWindow(gridShape(692), 4, { top: 90_000, bottom: 91_000 });
    expect(view).toMatchObject({ first: 3, end: 4, after: 0 });
  });
});
