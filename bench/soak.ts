import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { showProgress } from './demo/progress.ts';
import { percent } from './soak/judge.ts';
import { isSound, type Soak, type SoakOptions, soak } from './soak/run.ts';
import type { Sample } from './soak/samples.ts';

const USAGE = `Puts an installation of its own under a steady load, and looks whether what it holds grows.

  npm run soak -- [options]

  --minutes 10           for how long; of the first half nothing is judged
  --every 10             seconds between two looks
  --senders 8            messages that are on their way at a time, at most
  --fans 6               fans, and so conversations
  --database embedded    or 'debian' (the package's PostgreSQL 15), or the URL of a server, on which a database is made
  --leak heap|handles    has the server leak, to see that it is noticed
  --json FILE            also writes the report there
`;
/** The most rows in the table. */
const ROWS = 12;

/**
 * Runs the soak test.
 * @returns the exit code: 1 when something grew, or a message was not sent
 */
export async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (options === null) {
    console.log(USAGE);
    return 0;
  }
  const progress = showProgress(process.stdout);
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  progress.now('Starting an installation');
  const report = await soak({ ...options, log: progress.now }, interrupted.signal);
  progress.done(reportText(report));
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
  return isSound(report) ? 0 : 1;
}

/** Returns null to show the usage. */
function readOptions(args: string[]): (Omit<SoakOptions, 'log'> & { json: string | null }) | null {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      minutes: { ...text, default: '10' },
      every: { ...text, default: '10' },
      senders: { ...text, default: '8' },
      fans: { ...text, default: '6' },
      database: { ...text, default: 'embedded' },
      leak: text,
      json: text,
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const positive = (name: 'minutes' | 'every' | 'senders' | 'fans') => {
    const number = Number(values[name]);
    if (!(number > 0)) throw new Error(`--${name} must be a number above 0`);
    return number;
  };
  const { leak = null, database, json = null } = values;
  if (leak !== null && leak !== 'heap' && leak !== 'handles') {
    throw new Error('--leak must be heap or handles');
  }
  return {
    seconds: positive('minutes') * 60,
    every: positive('every'),
    senders: Math.ceil(positive('senders')),
    fans: Math.ceil(positive('fans')),
    database,
    leak,
    json,
  };
}

function reportText(report: Soak): string {
  const step = Math.max(1, Math.ceil(report.samples.length / ROWS));
  const shown = report.samples.filter((_, index) => (index + 1) % step === 0);
  const columns: [name: string, cell: (sample: Sample) => string][] = [
    ['seconds', ({ at }) => at.toFixed(0)],
    ['heap MB', ({ heap }) => (heap / 1e6).toFixed(1)],
    ['buffers MB', ({ external }) => (external / 1e6).toFixed(1)],
    ['memory MB', ({ rss }) => rss.toFixed(0)],
    ['handles', ({ handles }) => String(handles)],
    ['files', ({ descriptors }) => String(descriptors)],
    ['database', ({ connections }) => String(connections)],
  ];
  const line = (cells: readonly string[]) => cells.map((cell) => cell.padStart(11)).join('');
  const { handles, descriptors, connections } = report.growth;
  return [
    '',
    line(columns.map(([name]) => name)),
    ...shown.map((sample) => line(columns.map(([, cell]) => cell(sample)))),
    '',
    `${report.sent} messages in ${report.seconds.toFixed(0)} s, ${report.failed} failed`,
    `after the warm-up the heap grew by ${percent(report.heap)} in ten minutes; ${handles} handles, ${descriptors} files and ${connections} connections to the database more`,
    isSound(report) ? 'Sound.' : `NOT SOUND: ${report.broken.join('; ')}`,
    '',
  ].join('\n');
}
