import { scaleBand, scaleLinear, scalePoint } from '@visx/scale';
import { textWidth } from './axis.ts';

/** The layout of a chart, in pixels from its top left corner. */
export interface ChartGeometry {
  width: number;
  height: number;
  /** The edges of the plot, inside the axes. */
  plot: { left: number; right: number; top: number; bottom: number };
  /** The center of each point, from left to right. */
  centers: number[];
  barWidth: number;
  y: (value: number) => number;
  /** The values with a grid line. */
  ticks: number[];
}

interface GeometryOptions {
  values: readonly number[];
  shape: 'area' | 'bars';
  width: number;
  height: number;
  /** Whether the values are whole numbers. */
  isWhole: boolean;
  formatTick: (value: number) => string;
}

const TICKS = 3;
const TOP_PX = 10;
const BOTTOM_PX = 22;
/** The space between the value labels and the plot. */
const GUTTER_PX = 8;
/** The space to the right of the plot, so that the last point's dot is not cut off. */
const RIGHT_PX = 5;
const MOST_BAR_PX = 28;

/** Calculates a chart's layout. */
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
