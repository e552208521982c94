import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

/**
 * An option's default, which also sets its type. Null: a text without a default; false: a flag; `[]`: repeatable texts; another
 * list: numbers separated by commas.
 */
type Default = string | number | null | false | readonly number[];

/** The values of options, by name. */
export type Values<O> = {
  readonly [N in keyof O]: O[N] extends number
    ? number
    : O[N] extends string
      ? string
      : O[N] extends null
        ? string | null
        : O[N] extends false
          ? boolean
          : O[N] extends readonly []
            ? readonly string[]
            : readonly number[];
};

/**
 * Creates the main function of a program. `--help` prints the usage. An option called `names` receives the positional arguments.
 * @param run returns false if a goal was missed
 * @returns a function that takes the arguments and returns the exit code; it throws an Error that names an invalid option
 */
export function program<const O extends Readonly<Record<string, Default>>>(
  usage: string,
  defaults: O,
  run: (values: Values<O>) => Promise<boolean | undefined>,
): (args: string[]) => Promise<number> {
  const options = Object.entries(defaults).map(([name, value]) => {
    const type = value === false ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: isRepeatable(value) }] as const;
  });
  return async (args) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: 'names' in defaults,
      options: { ...Object.fromEntries(options), help: { type: 'boolean' } },
    });
    if (values.help) {
      console.log(usage);
      return 0;
    }
    const given: Readonly<Record<string, unknown>> = { ...values, names: positionals };
    const read = Object.entries(defaults).map(([name, value]) => [
      name,
      given[name] === undefined ? value : readValue(name, value, given[name]),
    ]);
    return (await run(Object.fromEntries(read) as Values<O>)) === false ? 1 : 0;
  };
}

const isRepeatable = (value: Default) => Array.isArray(value) && value.length === 0;

function readValue(name: string, value: Default, given: unknown): unknown {
  if (typeof value === 'number') return positive(name, String(given));
  if (!Array.isArray(value) || isRepeatable(value)) return given;
  return String(given)
    .split(',')
    .map((part) => positive(name, part));
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0`);
  return number;
}

/** Writes a report as JSON, unless there is no file to write it to. */
export async function writeReport(file: string | null, report: unknown): Promise<void> {
  if (file !== null) await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
}

/** Returns a signal that aborts at Ctrl-C; the second Ctrl-C ends the process. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return controller.signal;
}
