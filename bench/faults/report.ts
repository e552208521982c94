import { INVARIANTS, type Invariant } from './check.ts';
import { isSound, type Run } from './run.ts';
import type { Trial } from './try-variant.ts';

/** Formats a table with a row for each run, followed by details of each. */
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
    'equal',
    'other',
  ];
  const rows = runs.map((run) => {
    const { sends, verdict, settledMs, equalMs } = run;
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
      `${(equalMs / 1000).toFixed(1)} s`,
      broken('promised'),
    ];
  });
  return ['', ...table([head, ...rows], 'figures'), '', ...runs.flatMap(notes)].join('\n');
}

/** Formats a table with a row for each variant, followed by details of the wrong ones. */
export function trialsText(trials: readonly Trial[]): string {
  const rows = trials.map(({ variant, title, caughtBy, broken, isRight, run }) => [
    variant,
    title,
    run.fault,
    caughtBy ?? 'nothing',
    Object.entries(broken)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'nothing',
    isRight ? 'yes' : 'NO',
  ]);
  const head = ['variant', 'what is wrong', 'fault', 'must break', 'broke', 'as it should'];
  const wrong = trials.filter(({ isRight }) => !isRight).flatMap(({ run }) => notes(run));
  return ['', ...table([head, ...rows], 'texts'), '', ...wrong].join('\n');
}

/** Aligns columns: names in the first to the left, figures to the right, texts to the left. */
function table(rows: readonly (readonly string[])[], cells: 'figures' | 'texts'): string[] {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths?.[column] ?? 0;
        return column === 0 || cells === 'texts' ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
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
