/** Percentiles of durations in milliseconds. */
export interface Percentiles {
  /** The fastest call, which other load affects least. */
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function percentiles(times: readonly number[]): Percentiles {
  const at = ranked(times);
  return { min: at(0), p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Returns a function that takes a share (0 to 1) and returns the value at that rank; 0 if there are no values. */
export function ranked(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b);
  return (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Returns the middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

export const round = (value: number, digits = 2): number => Number(value.toFixed(digits));
