import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { secondsOf, secondsOfChildren } from './demo/server-use.ts';
import { callsOf, type Measured, measureCalls } from './earnings/calls.ts';
import { closePeriods, requireIntact } from './earnings/closing.ts';
import { fill, SELLER } from './earnings/fill.ts';
import { OWNER, startInstallation } from './lib/installation.ts';
import { program, writeReport } from './lib/program.ts';
import { CACHE, embeddedServer, FILLING_SETTINGS } from './lib/servers.ts';
import { openSessions } from './lib/session.ts';
import { round } from './lib/statistics.ts';
import { postmasterOf } from './send/measure.ts';

/** Time limits for a call of a screen and for closing a period. Milliseconds. */
const GOAL = 300;
const CLOSE_GOAL = 10_000;
const FOLDER = path.join(CACHE, 'earnings');

const USAGE = `Measures every call of the earnings and shifts screens, and slow ones of the API, on teams with three years of sales and shifts: 1,000,000 lines in
the ledger for 200 admins. Then closes a period, kills the server within the next closing, and closes that period after a restart.
Fails if a call of a screen takes more than ${GOAL} ms, a closing more than ${CLOSE_GOAL / 1000} s, or the ledger is not intact.

  npm run bench:earnings -- [--admins 20,200] [--rounds 30] [--json FILE]

  --folder DIR   keeps the databases; missing ones are generated. Default: ${FOLDER}
  --cpu          compares the CPU time of server and database instead of p95: for a busy machine
`;

export const main = program(
  USAGE,
  { admins: [20, 200], rounds: 30, folder: FOLDER, cpu: false, json: null },
  async ({ admins: sizes, rounds, folder, cpu, json }) => {
    const by = cpu ? 'cpu' : 'p95';
    const urls = await fillAll(path.resolve(folder), sizes);
    const server = await embeddedServer(path.resolve(folder));
    const report: Team[] = [];
    try {
      for (const [index, admins] of sizes.entries()) {
        const url = await server.database(urls[index] ?? '');
        const lines = await requireIntact(url);
        const title = `${admins} admins, ${lines.toLocaleString('en')} lines`;
        console.log(`\n${title}; the ledger is intact`);
        report.push({ title, ...(await measureTeam(url, rounds, by)) });
      }
    } finally {
      await server.stop();
    }
    await writeReport(json, { rounds, cores: cpus().length, load: loadavg(), report });
    const isReached = ({ calls, closing }: Team) =>
      calls.every((call) => !isOfScreen(call) || call[by] <= GOAL) &&
      Object.values(closing).every((ms) => ms <= CLOSE_GOAL);
    return report.every(isReached);
  },
);

/** Calls that only integrations make have no goal: docs/performance.md says how slow they are. */
const isOfScreen = ({ name }: Measured): boolean => !name.startsWith('API:');

interface Team {
  readonly title: string;
  readonly calls: readonly Measured[];
  /** Milliseconds. */
  readonly closing: Awaited<ReturnType<typeof closePeriods>>;
}

async function fillAll(folder: string, sizes: readonly number[]): Promise<string[]> {
  const names = sizes.map((admins) => `earnings_${admins}`);
  const server = await embeddedServer(folder, FILLING_SETTINGS);
  try {
    for (const [index, admins] of sizes.entries())
      await fill(await server.database(names[index] ?? ''), admins, console.log);
  } finally {
    await server.stop();
  }
  return names;
}

async function measureTeam(url: string, rounds: number, by: 'cpu' | 'p95') {
  const server = await startInstallation({ databaseUrl: url });
  try {
    const [manager = ''] = await openSessions(url, OWNER, 1);
    const [seller = ''] = await openSessions(url, SELLER, 1);
    const calls = await callsOf(server.url, { manager, seller });
    const { pid } = server;
    const postmaster = await postmasterOf(url);
    const cpu = async () => (await secondsOf(pid ?? 0)) + (await secondsOfChildren(postmaster));
    const measured = await measureCalls(server.url, calls, rounds, cpu);
    show(measured, by);
    const closing = await closePeriods(server, url, manager);
    const [first, afterKill] = [closing.first, closing.afterKill].map((ms) => round(ms / 1000, 1));
    console.log(
      `A period is closed in ${first} s; after the server was killed within the closing, the next run ends it in ${afterKill} s`,
    );
    console.log(
      `load ${loadavg()
        .map((load) => load.toFixed(1))
        .join(', ')}`,
    );
    return { calls: measured, closing };
  } finally {
    await server.dispose();
  }
}

const show = (measured: readonly Measured[], by: 'cpu' | 'p95'): void =>
  console.table(
    Object.fromEntries(
      measured.map((call) => [
        call.name,
        {
          p50: round(call.p50, 0),
          p95: round(call.p95, 0),
          max: round(call.max, 0),
          cpu: round(call.cpu, 0),
          ...(isOfScreen(call) && { goal: call[by] <= GOAL ? 'reached' : 'MISSED' }),
        },
      ]),
    ),
  );
