import { round } from '../statistics.ts';
import type { Measurements } from './measure.ts';
import { growthOf, verdictsOf } from './verdicts.ts';

/** Prints a row per call: for each size the time, its ratio to the floor, and its ratio to the previous size. */
export function showTable(titles: readonly string[], measurements: Measurements): void {
  const { by, calls } = measurements;
  const rows = [...calls].map(([name, sides]) => {
    const row: Record<string, number | string> = {};
    const missed: string[] = [];
    let judged = false;
    for (const [at, { times, floor }] of sides.entries()) {
      const title = titles[at] ?? '';
      row[`${title}: ${by} ms`] = round(times[by]);
      row[`${title}: p99 ms`] = round(times.p99, 1);
      if (floor !== null) row[`${title}: floor ×`] = round(times[by] / floor[by]);
      const growth = growthOf(name, at, measurements);
      if (growth !== null) row[`${title}: size ×`] = round(growth);
      for (const { is, goal, reached } of verdictsOf(name, at, measurements)) {
        judged = true;
        if (!reached) missed.push(`${title}: ${is.toFixed(2)}, ${goal}`);
      }
    }
    if (judged) row.goals = missed.length === 0 ? 'reached' : `MISSED ${missed.join('; ')}`;
    return [name, row] as const;
  });
  console.table(Object.fromEntries(rows));
}
