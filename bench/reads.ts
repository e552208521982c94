import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { program, writeReport } from './lib/program.ts';
import { type Measurements, measureSides } from './lib/reads/measure.ts';
import { openSide, type Side } from './lib/reads/side.ts';
import { MESSAGES_PER_CONVERSATION, openSizes } from './lib/reads/sizes.ts';
import { showTable } from './lib/reads/table.ts';
import { growthOf, verdictsOf } from './lib/reads/verdicts.ts';
import { CACHE } from './lib/servers.ts';

const FOLDER = path.join(CACHE, 'reads');

const USAGE = `Measures every read call of staff over HTTP, on databases of several sizes side by side.

  npm run bench:reads -- [--sizes 10000,100000,1000000] [--rounds 100] [--only "^search: "] [--json FILE]

  --folder DIR         keeps the databases, with ${MESSAGES_PER_CONVERSATION} messages per conversation; missing ones are generated. Default: ${FOLDER}
  --database debian    PostgreSQL 15 of the Debian package instead of the embedded one
  --url postgres://…   a database filled by bench:generate instead; repeat it for several, the smallest first
  --least              compares the minimum of all rounds instead of the median: for a busy machine

Each round makes every call once on each database; calls without a goal are made in one round of ten. A goal is a time, a ratio
to a bare server (one statement, its rows as JSON) called right before, or a ratio to the previous size.
`;

export const main = program(
  USAGE,
  {
    url: [],
    folder: FOLDER,
    database: 'embedded',
    sizes: [10_000, 100_000, 1_000_000],
    rounds: 100,
    only: '',
    least: false,
    json: null,
  },
  async ({ url, folder, database, sizes, rounds, only, least, json }) => {
    const { server, urls } =
      url.length > 0
        ? { server: null, urls: url }
        : await openSizes(path.resolve(folder), sizes, { database });
    const sides: Side[] = [];
    try {
      for (const each of urls) sides.push(await openSide(each));
      const measurements: Measurements = {
        by: least ? 'min' : 'p50',
        calls: await measureSides(sides, rounds, new RegExp(only)),
      };
      const titles = sides.map(({ title }) => title);
      showTable(titles, measurements);
      const results = resultsOf(titles, measurements);
      await writeReport(json, { rounds, by: measurements.by, ...machine(), results });
    } finally {
      for (const side of sides) await side.stop();
      await server?.stop();
    }
  },
);

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
