import { writeFile } from 'node:fs/promises';
import { type Progress, showProgress } from './demo/progress.ts';
import { FAULTS } from './faults/kinds.ts';
import { type FaultOptions, readOptions, usage } from './faults/options.ts';
import { reportText, trialsText } from './faults/report.ts';
import { isSound, type Run, runFault } from './faults/run.ts';
import { type Trial, tryVariant } from './faults/try-variant.ts';
import { VARIANTS } from './faults/variants.ts';

/** Runs the faults or the variants. @returns the exit code: 1 if any of them failed */
export async function main(args: string[]): Promise<number> {
  const options = readOptions(args, FAULTS, VARIANTS);
  if (options === null) {
    console.log(usage(FAULTS, VARIANTS));
    return 0;
  }
  const progress = showProgress(process.stdout);
  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const { signal } = interrupted;
  try {
    return options.variants
      ? await showVariants(options, progress, signal)
      : await runFaults(options, progress, signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

async function runFaults(
  options: FaultOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const runs: Run[] = [];
  let brokeOff = 0;
  for (const fault of options.faults) {
    if (signal.aborted) break;
    progress.now(`${fault.name}: beginning, seed ${options.seed}`);
    const log = (line: string) => progress.now(`${fault.name}: ${line}`);
    const run = await runFault(fault, { ...options, log }, signal).catch((error: Error) => error);
    if (run instanceof Error) {
      brokeOff++;
      progress.done(`${fault.name}: BROKE OFF, and shows nothing: ${run.message}`);
      continue;
    }
    if (run !== null) runs.push(run);
    const outcome = run === null ? "can't be done here" : isSound(run) ? 'sound' : 'NOT SOUND';
    progress.done(`${fault.name}: ${outcome}`);
  }
  console.log(reportText(runs));
  await keep(options, runs);
  return brokeOff === 0 && runs.length > 0 && runs.every(isSound) ? 0 : 1;
}

async function showVariants(
  options: FaultOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const trials: Trial[] = [];
  for (const variant of options.variants ?? []) {
    if (signal.aborted) break;
    progress.now(`${variant.name}: beginning, seed ${options.seed}`);
    const log = (line: string) => progress.now(`${variant.name}: ${line}`);
    const trial = await tryVariant(variant, { ...options, log }, signal);
    trials.push(trial);
    progress.done(`${variant.name}: ${trial.isRight ? 'as it should be' : 'NOT AS IT SHOULD BE'}`);
  }
  console.log(trialsText(trials));
  await keep(options, trials);
  return trials.length > 0 && trials.every(({ isRight }) => isRight) ? 0 : 1;
}

async function keep({ json }: FaultOptions, results: readonly unknown[]): Promise<void> {
  if (json !== null) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`);
}
