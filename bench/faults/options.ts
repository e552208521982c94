import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';

const USAGE_TEXT = `Breaks an installation of its own in every way it knows, while people write, read and claim; then compares what
is stored with what every client knows.

  npm run faults -- [name ...] [options]

  --seconds 20           for how long things break
  --senders 16           messages that are on their way at a time, at most
  --fans 6               fans, and so conversations
  --seed N               the same moments again
  --database embedded    or 'debian' (the package's PostgreSQL 15), or the URL of a server, on which a database is made
  --json FILE            also writes the report there

`;

export const USAGE = (faults: readonly Fault[]): string =>
  USAGE_TEXT + faults.map(({ name, title }) => `  ${name.padEnd(20)} ${title}\n`).join('');

export interface FaultOptions {
  readonly faults: readonly Fault[];
  readonly seconds: number;
  readonly senders: number;
  readonly fans: number;
  readonly seed: number;
  readonly database: string;
  readonly json: string | null;
}

/** @returns null where the usage is to be shown @throws Error that says which option is wrong */
export function readOptions(args: string[], known: readonly Fault[]): FaultOptions | null {
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
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const positive = (name: 'seconds' | 'senders' | 'fans' | 'seed') => {
    const number = Number(values[name]);
    if (!(number > 0)) throw new Error(`--${name} must be a number above 0`);
    return number;
  };
  const named = positionals.map((name) => {
    const found = known.find((fault) => fault.name === name);
    if (found === undefined) throw new Error(`There is no fault '${name}'; --help lists them`);
    return found;
  });
  return {
    faults: named.length > 0 ? named : known,
    seconds: positive('seconds'),
    senders: Math.ceil(positive('senders')),
    fans: Math.ceil(positive('fans')),
    seed: positive('seed'),
    database: values.database,
    json: values.json ?? null,
  };
}
