import { writeFile } from 'node:fs/promises';
import { showProgress } from './demo/progress.ts';
import { FAULTS } from './faults/kinds.ts';
import { readOptions, USAGE } from './faults/options.ts';
import { reportText } from './faults/report.ts';
import { isSound, type Run, runFault } from './faults/run.ts';

/** @returns the exit code: 1 where anything that must hold did not */
export async function main(args: string[]): Promise<number> {
  const options = readOptions(args, FAULTS);
  if (options === null) {
    console.log(USAGE(FAULTS));
    return 0;
  }
  const progress = showProgress(process.stdout);
  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) process.exit(130);
    interrupted.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const runs: Run[] = [];
  try {
    for (const fault of options.faults) {
      if (interrupted.signal.aborted) break;
      progress.now(`${fault.name}: beginning, seed ${options.seed}`);
      const log = (line: string) => progress.now(`${fault.name}: ${line}`);
      const run = await runFault(fault, { ...options, log }, interrupted.signal);
      if (run === null) {
        progress.done(`${fault.name}: can't be done here`);
        continue;
      }
      runs.push(run);
      progress.done(`${fault.name}: ${isSound(run) ? 'sound' : 'NOT SOUND'}`);
    }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
  console.log(reportText(runs));
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(runs, null, 2)}\n`);
  return runs.length > 0 && runs.every(isSound) ? 0 : 1;
}
