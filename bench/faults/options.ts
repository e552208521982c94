import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';
import type { Variant } from './variants.ts';

const USAGE_TEXT = `Breaks an installation of its own in every way it knows, while people write, read and claim; then compares what
is stored with what every client knows.

  npm run faults -- [fault ...] [options]
  npm run faults -- --variants [variant ...] [options]      servers that are broken on purpose, and whether it is noticed

  --seconds 20           for how long things break
  --senders 16           messages that are on their way at a time, at most
  --fans 6               fans, and so conversations
  --seed N               the same moments again
  --database embedded    or 'debian' (the package's PostgreSQL 15), or the URL of a server, on which a database is made
  --json FILE            also writes the report there

`;

export function usage(faults: readonly Fault[], variants: readonly Variant[]): string {
  const list = (all: readonly { name: string; title: string }[]) =>
    all.map(({ name, title }) => `  ${name.padEnd(22)} ${title}\n`).join('');
  return `${USAGE_TEXT}Faults\n${list(faults)}\nVariants\n${list(variants)}`;
}

export interface FaultOptions {
  readonly faults: readonly Fault[];
  /** Variants to run instead of the faults; null to run the faults. */
  readonly variants: readonly Variant[] | null;
  readonly seconds: number;
  readonly senders: number;
  readonly fans: number;
  readonly seed: number;
  readonly database: string;
  readonly json: string | null;
}

/** Parses the command line. @returns null for `--help` @throws Error that names the invalid option */
export function readOptions(
  args: string[],
  faults: readonly Fault[],
  variants: readonly Variant[],
): FaultOptions | null {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { ...text, default: '20' },
      senders: { ...text, default: '16' },
      fans: { ...text, default: '6' },
      seed: { ...text, default: String(Date.now() % 1_000_000) },
      database: { ...text, default: 'embedded' },
      json: text,
      variants: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const positive = (name: 'seconds' | 'senders' | 'fans' | 'seed') => {
    const number = Number(values[name]);
    if (!(number > 0)) throw new Error(`--${name} must be a number above 0`);
    return number;
  };
  return {
    faults: values.variants ? [] : named(positionals, faults),
    variants: values.variants ? named(positionals, variants) : null,
    seconds: positive('seconds'),
    senders: Math.ceil(positive('senders')),
    fans: Math.ceil(positive('fans')),
    seed: positive('seed'),
    database: values.database,
    json: values.json ?? null,
  };
}

/** Returns the items with these names, or all of them without names. @throws Error for an unknown name */
function named<T extends { readonly name: string }>(
  names: readonly string[],
  all: readonly T[],
): readonly T[] {
  if (names.length === 0) return all;
  return names.map((name) => {
    const found = all.find((each) => each.name === name);
    if (found === undefined) throw new Error(`There is no '${name}'; --help lists what there is`);
    return found;
  });
}
