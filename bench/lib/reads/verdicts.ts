import { goalOf } from './goals.ts';
import type { Measured, Measurements } from './measure.ts';

/** A goal of a call on one database, and whether it is reached. */
export interface Verdict {
  readonly goal: string;
  /** The figure and its limit: times, or milliseconds. */
  readonly is: number;
  readonly limit: number;
  readonly reached: boolean;
}

/** @param at the place of the database among those that were measured */
export function verdictsOf(name: string, at: number, measurements: Measurements): Verdict[] {
  const goal = goalOf(name);
  const measured = measurements.get(name)?.[at];
  if (goal === null || measured === undefined) return [];
  const verdicts: Verdict[] = [];
  const judge = (text: string, is: number, limit: number) =>
    verdicts.push({ goal: text, is, limit, reached: is <= limit });
  const { times } = measured;
  if (goal.p99 !== undefined) judge(`p99 ≤ ${goal.p99} ms`, times.p99, goal.p99);
  if (goal.p50Ms !== undefined) judge(`p50 ≤ ${goal.p50Ms} ms`, times.p50, goal.p50Ms);
  if (goal.p50 !== undefined) {
    const of = otherP50(goal.p50.of, at, measured, measurements);
    judge(`p50 ≤ ${goal.p50.times} × ${goal.p50.of}`, times.p50 / of, goal.p50.times);
  }
  const ratio = growthOf(name, at, measurements);
  if (goal.growth !== undefined && ratio !== null) {
    judge(`p50 ≤ ${goal.growth} × the size before`, ratio, goal.growth);
  }
  return verdicts;
}

/** A floor's is that of the calls right before this one's; of another call, the one of the whole run. */
function otherP50(of: string, at: number, measured: Measured, measurements: Measurements): number {
  const figures = of.startsWith('floor: ') ? measured.floor : measurements.get(of)?.[at]?.times;
  return figures?.p50 ?? Number.NaN;
}

/** How many times as long as on the database before it takes; null for the first. */
export function growthOf(name: string, at: number, measurements: Measurements): number | null {
  const [before, here] = [
    measurements.get(name)?.[at - 1]?.times.p50,
    measurements.get(name)?.[at]?.times.p50,
  ];
  return before === undefined || here === undefined ? null : here / before;
}
