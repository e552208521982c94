import type { Sample } from './samples.ts';

/** What the heap may grow by within ten minutes, of what it is. */
const SLOPE_MAX = 0.01;
const TEN_MINUTES = 600;
/** The part of a run in which caches fill and code is compiled. */
const WARM_UP = 1 / 2;
/** How far a growth must stand out from the ups and downs to count as one: in standard errors of its estimate. */
const SURE = 3;
/** In runs shorter than this caches still fill: there so many bytes are no leak yet. Seconds. */
const SHORT = 600;
const SHORT_SLACK = 1_000_000;
/** So many samples are needed at least. */
export const SAMPLES_MIN = 12;
/** Handles that come and go. */
const SLACK = 8;

/** A line through measurements over time. */
interface Trend {
  /** Of the mean, per ten minutes: 0.01 is 1 %. */
  readonly slope: number;
  /** The same: how far the estimate may be off. */
  readonly error: number;
  readonly mean: number;
}

export interface Judgement {
  readonly heap: Trend;
  /** From the first third after the warm-up to the last, of their medians. */
  readonly growth: Readonly<Record<'handles' | 'descriptors' | 'connections', number>>;
  /** What was found to grow, a line each. */
  readonly broken: readonly string[];
}

/** @throws Error where there are too few samples to tell */
export function judge(samples: readonly Sample[]): Judgement {
  const end = samples.at(-1)?.at ?? 0;
  const warm = samples.filter(({ at }) => at >= end * WARM_UP);
  if (samples.length < SAMPLES_MIN) throw new Error('too short a run to judge');
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

/** By least squares. */
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
