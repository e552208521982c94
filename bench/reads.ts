import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { type Measurements, measureSides } from './lib/reads/measure.ts';
import { openSide, type Side } from './lib/reads/side.ts';
import { MESSAGES_PER_CONVERSATION, openSizes } from './lib/reads/sizes.ts';
import { describe } from './lib/reads/table.ts';
import { growthOf, verdictsOf } from './lib/reads/verdicts.ts';

const USAGE = `Measures every call by which staff read, over HTTP, on databases of several sizes side by side.

  npm run bench:reads -- --folder DIR [--sizes 10000,100000,1000000] [--rounds 100] [--only "^search: "] [--least] [--json FILE]
  npm run bench:reads -- --url postgres://… [--url postgres://…] …   databases that bench:generate has filled, the smallest first

The folder keeps the databases, with ${MESSAGES_PER_CONVERSATION} messages a conversation; those that are missing are generated. Each round makes every call
once on each of them (those without a goal in one round of ten). A call is compared with its goals, where it has some: a time; a
multiple of what a bare server (one statement, its rows as JSON) takes right before it; a multiple of a tenth of the size.
With --least it is the least of all rounds that is compared instead of the median: for a machine that does other things, too.
`;

/** Runs the benchmark and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string', multiple: true },
      folder: { type: 'string' },
      sizes: { type: 'string', default: '10000,100000,1000000' },
      rounds: { type: 'string', default: '100' },
      only: { type: 'string', default: '' },
      least: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { url, folder } = values;
  const rounds = Number(values.rounds);
  const sizes = values.sizes.split(',').map(Number);
  const possible = rounds > 0 && sizes.every((size) => Number.isInteger(size) && size > 0);
  if (values.help || !possible || (url === undefined) === (folder === undefined)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const log = (text: string) => console.log(text);
  const { server, urls } =
    url === undefined ? await openSizes(folder ?? '', sizes, log) : { server: null, urls: url };
  const sides: Side[] = [];
  try {
    for (const each of urls) sides.push(await openSide(each));
    const measurements: Measurements = {
      by: values.least ? 'min' : 'p50',
      calls: await measureSides(sides, rounds, new RegExp(values.only), log),
    };
    const titles = sides.map(({ title }) => title);
    for (const text of describe(titles, measurements)) log(text);
    if (values.json !== undefined) {
      const report = {
        rounds,
        by: measurements.by,
        ...machine(),
        results: resultsOf(titles, measurements),
      };
      await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
    }
  } finally {
    for (const side of sides) await side.stop();
    await server?.stop();
  }
  return 0;
}

const machine = () => ({
  cores: cpus().length,
  processor: cpus()[0]?.model ?? null,
  /** The load average of the last 15 minutes. */
  load: loadavg()[2],
  node: process.version,
});

/** Returns the results by call and size, in milliseconds and ratios. */
const resultsOf = (titles: readonly string[], measurements: Measurements) =>
  [...measurements.calls].map(([name, sides]) => ({
    name,
    sizes: sides.map(({ times, floor }, at) => ({
      conversations: titles[at],
      times,
      floor,
      times_floor: floor === null ? null : times[measurements.by] / floor[measurements.by],
      times_size_before: growthOf(name, at, measurements),
      goals: verdictsOf(name, at, measurements),
    })),
  }));
