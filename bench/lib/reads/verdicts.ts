import { goalOf } from './goals.ts';
import type { Measured, Measurements } from './measure.ts';

/** One goal of a call on one database, and whether it is met. */
export interface Verdict {
  readonly goal: string;
  /** The measured value and its limit: a ratio, or milliseconds. */
  readonly is: number;
  readonly limit: number;
  readonly reached: boolean;
}

/** Compares a call with its goals on one database. @param at the index of the database among the measured ones */
export function verdictsOf(name: string, at: number, measurements: Measurements): Verdict[] {
  const goal = goalOf(name);
  const measured = measurements.calls.get(name)?.[at];
  if (goal === null || measured === undefined) return [];
  const verdicts: Verdict[] = [];
  const judge = (text: string, is: number, limit: number) =>
    verdicts.push({ goal: text, is, limit, reached: is <= limit });
  const { by } = measurements;
  const { times } = measured;
  if (goal.p95 !== undefined) judge(`p95 ≤ ${goal.p95} ms`, times.p95, goal.p95);
  if (goal.p99 !== undefined) judge(`p99 ≤ ${goal.p99} ms`, times.p99, goal.p99);
  if (goal.p50Ms !== undefined) judge(`${by} ≤ ${goal.p50Ms} ms`, times[by], goal.p50Ms);
  if (goal.p50 !== undefined) {
    const of = other(goal.p50.of, at, measured, measurements);
    judge(`${by} ≤ ${goal.p50.times} × ${goal.p50.of}`, times[by] / of, goal.p50.times);
  }
  const ratio = growthOf(name, at, measurements);
  if (goal.growth !== undefined && ratio !== null) {
    judge(`${by} ≤ ${goal.growth} × the size before`, ratio, goal.growth);
  }
  return verdicts;
}

/** Returns the time to compare with: the floor's, measured right before this call, or another call's. */
function other(of: string, at: number, measured: Measured, measurements: Measurements): number {
  const figures = of.startsWith('floor: ')
    ? measured.floor
    : measurements.calls.get(of)?.[at]?.times;
  return figures?.[measurements.by] ?? Number.NaN;
}

/** Returns the ratio of a call's time to its time on the previous database; null for the first. */
export function growthOf(name: string, at: number, measurements: Measurements): number | null {
  const [before, here] = [
    measurements.calls.get(name)?.[at - 1]?.times[measurements.by],
    measurements.calls.get(name)?.[at]?.times[measurements.by],
  ];
  return before === undefined || here === undefined ? null : here / before;
}
