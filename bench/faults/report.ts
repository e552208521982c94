import { INVARIANTS, type Invariant } from './check.ts';
import { isSound, type Run } from './run.ts';

/** The report for people: a row for each run, and below what was broken. */
export function reportText(runs: readonly Run[]): string {
  const head = [
    'fault',
    'sent',
    'confirmed',
    'failed',
    'lost',
    'doubled',
    'order',
    'gaps',
    'unread',
    'last',
    'clients',
    'settled',
    'other',
  ];
  const rows = runs.map((run) => {
    const { sends, verdict, settledMs } = run;
    const broken = (name: Invariant) => String(verdict.broken[name]);
    return [
      run.fault,
      String(sends.begun),
      String(sends.confirmed),
      String(sends.failed),
      broken('lost'),
      broken('doubled'),
      broken('order'),
      broken('gaps'),
      broken('unread'),
      broken('last_message'),
      broken('clients'),
      `${(settledMs / 1000).toFixed(1)} s`,
      broken('promised'),
    ];
  });
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return ['', line(head), ...rows.map(line), '', ...runs.flatMap(notes)].join('\n');
}

function notes(run: Run): string[] {
  const figures = Object.entries(run.report.figures).map(([name, value]) => `${name} ${value}`);
  const outcomes = Object.entries(run.outcomes)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${times} × ${name}`);
  const broken = Object.entries(run.verdict.broken).filter(([, count]) => count > 0);
  return [
    `${run.fault}: ${run.title}`,
    `  ${run.database}, ${run.seconds} s, seed ${run.seed}, ${run.starts} starts (${run.failedStarts} failed)`,
    ...(figures.length > 0 ? [`  ${figures.join(', ')}`] : []),
    `  calls: ${outcomes.join(', ')}`,
    ...(isSound(run) ? ['  Sound.'] : ['  NOT SOUND:']),
    ...broken.map(([name, count]) => `    ${count} × not: ${INVARIANTS[name as Invariant]}`),
    ...run.verdict.examples.map((example) => `      ${example}`),
    '',
  ];
}
