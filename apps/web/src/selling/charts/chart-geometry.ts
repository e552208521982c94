import { scaleBand, scaleLinear, scalePoint } from '@visx/scale';
import { textWidth } from './axis.ts';

/** Where everything in a chart stands, in pixels from its top left corner. */
export interface ChartGeometry {
  width: number;
  height: number;
  /** The edges of what is drawn, inside of the axes. */
  plot: { left: number; right: number; top: number; bottom: number };
  /** The middle of each point, from left to right. */
  centers: number[];
  /** How wide a bar is. */
  barWidth: number;
  y: (value: number) => number;
  /** The values that have a line of the grid. */
  ticks: number[];
}

interface GeometryOptions {
  values: readonly number[];
  shape: 'area' | 'bars';
  width: number;
  height: number;
  /** Whether there is nothing between two whole numbers. */
  isWhole: boolean;
  formatTick: (value: number) => string;
}

const TICKS = 3;
const TOP_PX = 10;
const BOTTOM_PX = 22;
/** Between the values' labels and the plot. */
const GUTTER_PX = 8;
/** The last point's dot must not be cut. */
const RIGHT_PX = 5;
const MOST_BAR_PX = 28;

/** Lays a chart out. */
export function chartGeometry(options: GeometryOptions): ChartGeometry {
  const { values, shape, width, height, isWhole, formatTick } = options;
  const y = scaleLinear<number>({
    domain: [Math.min(0, ...values), Math.max(isWhole ? 1 : 0.01, ...values)],
    range: [height - BOTTOM_PX, TOP_PX],
    nice: TICKS,
  });
  const ticks = y.ticks(TICKS).filter((tick) => !isWhole || Number.isInteger(tick));
  const left = Math.max(...ticks.map((tick) => textWidth(formatTick(tick)))) + GUTTER_PX;
  const right = Math.max(left, width - RIGHT_PX);
  const domain = values.map((_, index) => index);
  const range: [number, number] = [left, right];
  const bands = scaleBand<number>({ domain, range, paddingInner: 0.28, paddingOuter: 0.14 });
  const points = scalePoint<number>({ domain, range, padding: 0 });
  const band = bands.bandwidth();
  const centers =
    shape === 'bars'
      ? domain.map((index) => (bands(index) ?? left) + band / 2)
      : domain.map((index) => points(index) ?? left);
  return {
    width,
    height,
    plot: { left, right, top: TOP_PX, bottom: height - BOTTOM_PX },
    centers,
    barWidth: Math.min(band, MOST_BAR_PX),
    y,
    ticks,
  };
}
