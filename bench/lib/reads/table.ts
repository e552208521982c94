import type { Measurements } from './measure.ts';
import { growthOf, verdictsOf } from './verdicts.ts';

const NAME_WIDTH = 48;
const FIGURES_WIDTH = 32;
const RATIO_WIDTH = 7;

/** Formats the measurements as a table: for each size the time, its ratio to the floor, and its ratio to the previous size. */
export function describe(titles: readonly string[], measurements: Measurements): string[] {
  const heads = titles.map((title, at) =>
    (at === 0 ? title : `${title} (and ×)`).padStart(FIGURES_WIDTH + (at && RATIO_WIDTH)),
  );
  const units = titles.map(
    (_, at) =>
      `${`${measurements.by} ms  p99 ms  floor ×`.padStart(FIGURES_WIDTH)}${at ? '      ×' : ''}`,
  );
  const lines = [
    `${''.padEnd(NAME_WIDTH)}${heads.join('')}`,
    `${''.padEnd(NAME_WIDTH)}${units.join('')}`,
  ];
  for (const name of measurements.calls.keys()) lines.push(line(name, titles, measurements));
  return lines;
}

function line(name: string, titles: readonly string[], measurements: Measurements): string {
  const missed: string[] = [];
  const columns = titles.map((title, at) => {
    const measured = measurements.calls.get(name)?.[at];
    if (measured === undefined) return '';
    for (const verdict of verdictsOf(name, at, measurements)) {
      if (!verdict.reached) missed.push(`${title}: ${verdict.is.toFixed(2)}, ${verdict.goal}`);
    }
    const { by } = measurements;
    const { times, floor } = measured;
    const figures = [
      times[by].toFixed(2).padStart(8),
      times.p99.toFixed(1).padStart(8),
      (floor === null ? '' : (times[by] / floor[by]).toFixed(2)).padStart(9),
    ];
    const ratio = growthOf(name, at, measurements);
    const shown = at === 0 ? '' : (ratio?.toFixed(2) ?? '').padStart(RATIO_WIDTH);
    return `${figures.join('').padStart(FIGURES_WIDTH)}${shown}`;
  });
  const judged = titles.some((_, at) => verdictsOf(name, at, measurements).length > 0);
  const verdict = !judged ? '' : missed.length === 0 ? 'reached' : `MISSED ${missed.join('; ')}`;
  return `${name.padEnd(NAME_WIDTH)}${columns.join('')}   ${verdict}`.trimEnd();
}
