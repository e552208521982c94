import { FAULTS } from './faults/kinds.ts';
import { showRuns, showTrials } from './faults/report.ts';
import { isSound, runFault } from './faults/run.ts';
import { tryVariant } from './faults/try-variant.ts';
import { VARIANTS } from './faults/variants.ts';
import { interruption, program, writeReport } from './lib/program.ts';
import { type Progress, showProgress } from './lib/progress.ts';

const list = (all: readonly { name: string; title: string }[]) =>
  all.map(({ name, title }) => `  ${name.padEnd(22)} ${title}\n`).join('');

const USAGE = `Breaks an installation of its own in every known way while people write, read and claim, then compares the stored
state with every client's.

  npm run faults -- [fault …] [options]
  npm run faults -- --variants [variant …] [options]      servers that are broken on purpose: does the check notice?

  --seconds 20           how long things break
  --senders 16           maximum number of pending messages
  --fans 6               fans, each with a conversation
  --seed N               repeats the same random choices
  --database embedded    or 'debian' (PostgreSQL 15 of the package), or the URL of a server, on which a database is created
  --json FILE            also writes the report to a file

Faults
${list(FAULTS)}
Variants
${list(VARIANTS)}`;

export const main = program(
  USAGE,
  {
    names: [],
    seconds: 20,
    senders: 16,
    fans: 6,
    seed: Date.now() % 1_000_000,
    database: 'embedded',
    json: null,
    variants: false,
  },
  async ({ names, variants, json, ...given }) => {
    const options = { ...given, timed: true };
    const progress = showProgress(process.stdout);
    const signal = interruption();
    if (variants) {
      const { results, failures } = await each(named(names, VARIANTS), progress, signal, {
        run: (variant, log) => tryVariant(variant, { ...options, log }, signal),
        outcomeOf: ({ isRight }) => (isRight ? 'caught as expected' : 'NOT AS EXPECTED'),
      });
      showTrials(results);
      await writeReport(json, results);
      return failures === 0 && results.length > 0 && results.every(({ isRight }) => isRight);
    }
    const { results, failures } = await each(named(names, FAULTS), progress, signal, {
      run: (fault, log) => runFault(fault, { ...options, log }, signal),
      outcomeOf: (run) => (isSound(run) ? 'sound' : 'NOT SOUND'),
    });
    showRuns(results);
    await writeReport(json, results);
    return failures === 0 && results.length > 0 && results.every(isSound);
  },
);

interface Work<T, R> {
  readonly run: (item: T, log: (line: string) => void) => Promise<R | null>;
  readonly outcomeOf: (result: R) => string;
}

/** Runs the items one after the other. @returns the results, and the number of runs that failed and so prove nothing */
async function each<T extends { readonly name: string }, R>(
  items: readonly T[],
  progress: Progress,
  signal: AbortSignal,
  { run, outcomeOf }: Work<T, R>,
): Promise<{ results: R[]; failures: number }> {
  const results: R[] = [];
  let failures = 0;
  for (const item of items) {
    if (signal.aborted) break;
    progress.now(`${item.name}: starting`);
    const log = (line: string) => progress.now(`${item.name}: ${line}`);
    const result = await run(item, log).catch((error: Error) => error);
    if (result instanceof Error) failures++;
    else if (result !== null) results.push(result);
    const outcome =
      result instanceof Error
        ? `FAILED, inconclusive: ${result.message}`
        : result === null
          ? 'not possible on this machine'
          : outcomeOf(result);
    progress.done(`${item.name}: ${outcome}`);
  }
  return { results, failures };
}

/** Returns the items with these names; all items if no names are given. @throws Error for an unknown name */
function named<T extends { readonly name: string }>(
  names: readonly string[],
  all: readonly T[],
): readonly T[] {
  if (names.length === 0) return all;
  return names.map((name) => {
    const found = all.find((each) => each.name === name);
    if (found === undefined) throw new Error(`There is no '${name}'; see --help`);
    return found;
  });
}
