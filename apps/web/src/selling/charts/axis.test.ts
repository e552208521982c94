import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptInside, labelledPoints, movedBy, nearestPoint, textWidth } from './axis.ts';
import { chartGeometry } from './chart-geometry.ts';

/** Allows for floating-point errors, which are far below a pixel. */
const isWithin = (at: number, from: number, to: number) => at > from - 1e-6 && at < to + 1e-6;
const plain = (value: number) => `${value}`;

describe('an axis’ labels', () => {
  it('are evenly spaced, and the last point always has one', () => {
    expect(labelledPoints(30, 350)).toEqual([5, 11, 17, 23, 29]);
    expect(labelledPoints(7, 700)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(labelledPoints(5, 10)).toEqual([4]);
    expect(labelledPoints(0, 350)).toEqual([]);
  });

  it('never exceed the available space', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 800 }), fc.integer({ min: 0, max: 1200 }), (n, px) => {
        const labelled = labelledPoints(n, px);
        expect(labelled.at(-1)).toBe(n - 1);
        expect(labelled.length).toBeLessThanOrEqual(Math.max(1, px / 60));
      }),
    );
  });

  it('are never cut off', () => {
    const half = textWidth('Nov 21') / 2;
    expect(keptInside(150, 'Nov 21', 300)).toBe(150);
    expect(keptInside(298, 'Nov 21', 300)).toBe(300 - half);
    expect(keptInside(3, 'Nov 21', 300)).toBe(half);
  });
});

describe('a chart’s cursor', () => {
  it('snaps to the point nearest to the pointer, even beyond the ends', () => {
    const centers = [10, 20, 30];
    expect([-50, 14, 16, 25.1, 900].map((x) => nearestPoint(centers, x))).toEqual([0, 0, 1, 2, 2]);
    expect(nearestPoint([10], 300)).toBe(0);
    expect(nearestPoint([], 300)).toBe(null);
  });

  it('moves with arrow keys, by a week with page keys, to the ends with Home and End, and stops there', () => {
    expect(movedBy('ArrowLeft', 5, 30)).toBe(4);
    expect(movedBy('ArrowRight', 5, 30)).toBe(6);
    expect(movedBy('PageUp', 5, 30)).toBe(12);
    expect(movedBy('PageDown', 5, 30)).toBe(0);
    expect(movedBy('Home', 5, 30)).toBe(0);
    expect(movedBy('End', 5, 30)).toBe(29);
    expect(movedBy('ArrowRight', 29, 30)).toBe(29);
    expect(movedBy('a', 5, 30)).toBe(null);
  });

  it('starts at the newest point', () => {
    expect(movedBy('ArrowLeft', 30, 30)).toBe(29);
    expect(movedBy('ArrowRight', 30, 30)).toBe(29);
  });
});

describe('a chart’s layout', () => {
  it.each(['area', 'bars'] as const)('keeps all points of %s inside the plot', (shape) => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 200, max: 1200 }),
        (values, width) => {
          const { centers, plot, y } = chartGeometry({
            values,
            shape,
            width,
            height: 150,
            isWhole: true,
            formatTick: plain,
          });
          expect(centers).toHaveLength(values.length);
          expect(centers.every((x) => isWithin(x, plot.left, plot.right))).toBe(true);
          expect(values.every((value) => isWithin(y(value), plot.top, plot.bottom))).toBe(true);
        },
      ),
    );
  });

  it('has no grid lines between whole numbers for counts', () => {
    const layout = { shape: 'bars', width: 300, height: 150, formatTick: plain } as const;
    expect(chartGeometry({ ...layout, values: [0, 1], isWhole: true }).ticks).toEqual([0, 1]);
    expect(chartGeometry({ ...layout, values: [0, 0], isWhole: true }).ticks).toEqual([0, 1]);
    expect(chartGeometry({ ...layout, values: [0, 0.5], isWhole: false }).ticks).toContain(0.2);
  });
});
