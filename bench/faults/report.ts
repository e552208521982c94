import { INVARIANTS, type Invariant } from './check.ts';
import { isSound, type Run } from './run.ts';
import type { Trial } from './try-variant.ts';

/** Prints a table with a row for each run, followed by details of each. */
export function showRuns(runs: readonly Run[]): void {
  const rows = runs.map(({ fault, sends, verdict: { broken }, settledMs, equalMs }) => {
    const seconds = { settled: settledMs / 1000, equal: equalMs / 1000 };
    // The sends already include `failed`.
    const { failed: _failed, ...invariants } = broken;
    return [fault, { ...sends, ...invariants, ...seconds }] as const;
  });
  console.table(Object.fromEntries(rows));
  for (const run of runs) showDetails(run);
}

/** Prints a table with a row for each variant, followed by details of the unexpected results. */
export function showTrials(trials: readonly Trial[]): void {
  const rows = trials.map(({ variant, title, caughtBy, broken, isRight, run }) => {
    const broke = Object.entries(broken).map(([name, count]) => `${name} ${count}`);
    const expected = { fault: run.fault, 'must break': caughtBy ?? 'nothing' };
    const row = { wrong: title, ...expected, broke: broke.join(', ') || 'nothing' };
    return [variant, { ...row, verdict: isRight ? 'as expected' : 'NOT AS EXPECTED' }] as const;
  });
  console.table(Object.fromEntries(rows));
  for (const { isRight, run } of trials) if (!isRight) showDetails(run);
}

function showDetails(run: Run): void {
  const figures = Object.entries(run.report.figures).map(([name, value]) => `${name} ${value}`);
  const outcomes = Object.entries(run.outcomes)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${times} × ${name}`);
  const broken = Object.entries(run.verdict.broken).filter(([, count]) => count > 0);
  const lines = [
    `\n${run.fault}: ${run.title}`,
    `  ${run.database}, ${run.seconds} s, seed ${run.seed}, ${run.starts} starts (${run.failedStarts} failed)`,
    ...(figures.length > 0 ? [`  ${figures.join(', ')}`] : []),
    `  calls: ${outcomes.join(', ')}`,
    isSound(run) ? '  Sound.' : '  NOT SOUND:',
    ...broken.map(([name, count]) => `    ${count} × violated: ${INVARIANTS[name as Invariant]}`),
    ...run.verdict.examples.map((example) => `      ${example}`),
  ];
  console.log(lines.join('\n'));
}
