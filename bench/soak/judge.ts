import { median } from '../lib/statistics.ts';
import type { Sample } from './samples.ts';

/** The maximum growth of the heap in ten minutes, relative to its size. */
const SLOPE_MAX = 0.01;
const TEN_MINUTES = 600;
/** The first part of a run, in which caches fill and code is compiled. */
const WARM_UP = 1 / 2;
/** How far the slope must exceed the limit to rule out noise, in standard errors. */
const SURE = 3;
/** In runs shorter than this, caches are still filling: heap growth up to `SHORT_SLACK` bytes is not a leak. Seconds. */
const SHORT = 600;
const SHORT_SLACK = 1_000_000;
/** The minimum number of samples that can be judged. */
export const SAMPLES_MIN = 12;
/** Tolerated growth of handles, files and connections, which come and go. */
const SLACK = 8;

/** A linear trend over time. */
interface Trend {
  /** Relative to the mean, per ten minutes: 0.01 is 1 %. */
  readonly slope: number;
  /** The standard error of the slope, in the same unit. */
  readonly error: number;
  readonly mean: number;
}

export interface Judgment {
  readonly heap: Trend;
  /** The median of the last third of the samples after the warm-up, minus the median of the first third. */
  readonly growth: Readonly<Record<'handles' | 'descriptors' | 'connections', number>>;
  /** One line for each thing that grew. */
  readonly broken: readonly string[];
}

/**
 * Checks the samples for growth.
 * @throws Error when there are too few samples
 */
export function judge(samples: readonly Sample[]): Judgment {
  const end = samples.at(-1)?.at ?? 0;
  const warm = samples.filter(({ at }) => at >= end * WARM_UP);
  if (samples.length < SAMPLES_MIN) throw new Error('the run is too short to judge');
  const heap = trendOf(warm.map(({ at, heap }) => [at, heap]));
  const growth = {
    handles: growthOf(warm.map(({ handles }) => handles)),
    descriptors: growthOf(warm.map(({ descriptors }) => descriptors)),
    connections: growthOf(warm.map(({ connections }) => connections)),
  };
  const broken = Object.entries(growth)
    .filter(([, grown]) => grown > SLACK)
    .map(([name, grown]) => `${grown} more ${name}`);
  const grown = (heap.slope * heap.mean * end * (1 - WARM_UP)) / TEN_MINUTES;
  const isMuch = end >= SHORT || grown > SHORT_SLACK;
  if (isMuch && heap.slope - SURE * heap.error > SLOPE_MAX) {
    broken.unshift(`the heap grows by ${percent(heap)} in ten minutes`);
  }
  return { heap, growth, broken };
}

export const percent = ({ slope, error }: Trend): string =>
  `${(slope * 100).toFixed(1)} ± ${(error * 100).toFixed(1)} %`;

/** Fits a line by least squares. */
function trendOf(points: readonly (readonly [at: number, value: number])[]): Trend {
  const count = points.length;
  const mean = (pick: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / count;
  const [atMean, valueMean] = [mean(([at]) => at), mean(([, value]) => value)];
  const spread = mean(([at]) => (at - atMean) ** 2) * count;
  const slope = (mean(([at, value]) => (at - atMean) * (value - valueMean)) * count) / spread;
  const rest = mean(([at, value]) => (value - valueMean - slope * (at - atMean)) ** 2) * count;
  const error = Math.sqrt(rest / (count - 2) / spread);
  const scale = TEN_MINUTES / valueMean;
  return { slope: slope * scale, error: error * scale, mean: valueMean };
}

function growthOf(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  return median(values.slice(-third)) - median(values.slice(0, third));
}
