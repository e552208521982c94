import { interruption, program, writeReport } from './lib/program.ts';
import { showProgress } from './lib/progress.ts';
import { round } from './lib/statistics.ts';
import { percent } from './soak/judge.ts';
import { isSound, type Soak, soak } from './soak/run.ts';

const USAGE = `Puts an installation of its own under a steady load, and checks whether its memory or handles grow.

  npm run soak -- [options]

  --minutes 10           duration; the first half is the warm-up and isn't judged
  --every 10             seconds between two samples
  --senders 8            maximum number of pending messages
  --fans 6               fans, each with a conversation
  --database embedded    or 'debian' (PostgreSQL 15 of the package), or the URL of a server, on which a database is created
  --leak heap|handles    makes the server leak, to prove that the check notices
  --json FILE            also writes the report to a file
`;
/** The maximum number of rows in the table. */
const ROWS = 12;

const OPTIONS = {
  minutes: 10,
  every: 10,
  senders: 8,
  fans: 6,
  database: 'embedded',
  leak: null,
  json: null,
} as const;

/** Runs the soak test. Fails if something grew, or a message was not sent. */
export const main = program(USAGE, OPTIONS, async ({ minutes, leak, json, ...options }) => {
  if (leak !== null && !isLeak(leak)) throw new Error('--leak must be heap or handles');
  const progress = showProgress(process.stdout);
  progress.now('Starting an installation');
  const load = { ...options, seconds: minutes * 60, leak, log: progress.now };
  const report = await soak(load, interruption());
  progress.done('');
  show(report);
  await writeReport(json, report);
  return isSound(report);
});

const isLeak = (name: string): name is 'heap' | 'handles' => name === 'heap' || name === 'handles';

function show(report: Soak): void {
  const step = Math.max(1, Math.ceil(report.samples.length / ROWS));
  const shown = report.samples.filter((_, index) => (index + 1) % step === 0);
  console.table(
    shown.map((sample) => ({
      seconds: round(sample.at, 0),
      'heap MB': round(sample.heap / 1e6, 1),
      'buffers MB': round(sample.external / 1e6, 1),
      'memory MB': round(sample.rss / 1e6, 0),
      handles: sample.handles,
      files: sample.descriptors,
      'database connections': sample.connections,
    })),
  );
  const { handles, descriptors, connections } = report.growth;
  console.log(`${report.sent} messages in ${report.seconds.toFixed(0)} s, ${report.failed} failed
After the warm-up the heap grew by ${percent(report.heap)} per ten minutes, handles by ${handles}, files by ${descriptors}, database connections by ${connections}.
${isSound(report) ? 'Sound.' : `NOT SOUND: ${report.broken.join('; ')}`}`);
}
