import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labeledPoints, labelPosition, movedBy, nearestPoint, textWidth } from './axis.ts';
import { chartGeometry } from './chart-geometry.ts';

/** Allows for floating-point errors, which are far below a pixel. */
const isWithin = (at: number, from: number, to: number) => at > from - 1e-6 && at < to + 1e-6;
const plain = (value: number) => `${value}`;

describe('an axis’ labels', () => {
  it('are evenly spaced, and the first and last point always have one', () => {
    expect(labeledPoints(30, 350, 40)).toEqual([0, 7, 15, 22, 29]);
    expect(labeledPoints(7, 700, 40)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(labeledPoints(1, 350, 40)).toEqual([0]);
    expect(labeledPoints(0, 350, 40)).toEqual([]);
  });

  it('leave only the last one where there is no room for two', () => {
    expect(labeledPoints(5, 60, 40)).toEqual([4]);
    expect(labeledPoints(5, 0, 40)).toEqual([4]);
  });

  it('never overlap', () => {
    const counts = fc.integer({ min: 2, max: 800 });
    const widths = fc.integer({ min: 20, max: 80 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 0, max: 1200 }), widths, (count, plotPx, labelPx) => {
        const labeled = labeledPoints(count, plotPx, labelPx);
        expect(labeled.at(-1)).toBe(count - 1);
        const text = 'x'.repeat(labelPx / 6.4);
        const half = textWidth(text) / 2;
        const middles = labeled.map((index) => {
          const at = (index * plotPx) / (count - 1);
          const { x, textAnchor } = labelPosition(at, text, { left: 0, right: plotPx });
          return textAnchor === 'middle' ? x : textAnchor === 'start' ? x + half : x - half;
        });
        for (const [index, middle] of middles.slice(1).entries())
          expect(middle - (middles[index] ?? 0)).toBeGreaterThan(2 * half);
      }),
    );
  });

  it('stay inside the plot', () => {
    const edges = { left: 40, right: 300 };
    expect(labelPosition(150, 'Nov 21', edges)).toEqual({ x: 150, textAnchor: 'middle' });
    expect(labelPosition(298, 'Nov 21', edges)).toEqual({ x: 300, textAnchor: 'end' });
    expect(labelPosition(43, 'Nov 21', edges)).toEqual({ x: 40, textAnchor: 'start' });
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
