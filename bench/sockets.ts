import { startInstallation } from './lib/installation.ts';
import { program, writeReport } from './lib/program.ts';
import { temporaryServer } from './lib/servers.ts';
import { median, round } from './lib/statistics.ts';
import { type Idle, measureIdle, type SocketServer } from './sockets/measure.ts';

/** Limits for our server's memory and connects per second, as a multiple of the bare server's. */
const MEMORY_MOST = 1.5;
const CONNECTS_LEAST = 0.6;
const SERVERS = { bare: 'bare Socket.IO', ours: 'Stagedoor' } as const;

const USAGE = `Measures the cost of idle staff sockets, compared with bare Socket.IO, and how long a server takes to start.

  ulimit -n 20000
  npm run bench:sockets -- [--sockets 2000,10000] [--rounds 3] [--starts 3] [--only sockets,starts] [--json FILE]

Each measurement has a server process of its own, one after the other.
`;

const OPTIONS = {
  sockets: [2000, 10_000],
  rounds: 3,
  starts: 3,
  only: 'sockets,starts',
  json: null,
} as const;

export const main = program(USAGE, OPTIONS, async ({ sockets, rounds, only, json, ...options }) => {
  const results = only.includes('sockets') ? await measureSizes(sockets, rounds) : [];
  for (const size of new Set(results.map((result) => result.sockets))) show(results, size);
  const starts: StartTimes[] = [];
  for (let n = 0; only.includes('starts') && n < options.starts; n++)
    starts.push(await measureStarts());
  if (starts.length > 0) console.table(starts);
  await writeReport(json, { sockets: results, starts });
});

/** Seconds from starting the process until the server answers. */
interface StartTimes {
  /** With an empty folder: the server creates the embedded database and all tables. */
  readonly cold: number;
  /** With the folder of the first start, after a clean stop. */
  readonly warm: number;
}

async function measureStarts(): Promise<StartTimes> {
  const started = performance.now();
  const seconds = (since: number) => round((performance.now() - since) / 1000);
  const server = await startInstallation();
  try {
    const cold = seconds(started);
    await server.stop();
    const again = performance.now();
    await server.start();
    return { cold, warm: seconds(again) };
  } finally {
    await server.dispose();
  }
}

type Result = Idle & { readonly server: SocketServer };

async function measureSizes(sizes: readonly number[], rounds: number): Promise<Result[]> {
  const server = await temporaryServer('debian');
  const results: Result[] = [];
  try {
    const databaseUrl = await server.database('ours');
    for (let round = 1; round <= rounds; round++) {
      for (const size of sizes) {
        for (const name of ['bare', 'ours'] as const) {
          const idle = await measureIdle(name, size, databaseUrl);
          results.push({ server: name, ...idle });
          console.log(
            `  round ${round} of ${rounds}: ${idle.open} of ${size} sockets at ${SERVERS[name]}, ${idle.connectsPerSecond.toFixed(0)} connects/s`,
          );
        }
      }
    }
  } finally {
    await server.stop();
  }
  return results;
}

/** Prints the medians for `size` sockets, and compares the ratios with their limits. */
function show(results: readonly Result[], size: number): void {
  const of = (server: SocketServer, figure: 'rss' | 'heap' | 'connectsPerSecond') =>
    results
      .filter((one) => one.sockets === size && one.server === server)
      .map((one) => one[figure]);
  const figures = (server: SocketServer) => ({
    'KiB per socket': round(median(of(server, 'rss')) / 1024, 1),
    'of it heap': round(median(of(server, 'heap')) / 1024, 1),
    'connects/s': round(median(of(server, 'connectsPerSecond')), 0),
  });
  console.log(`${size} sockets`);
  console.table({ [SERVERS.bare]: figures('bare'), [SERVERS.ours]: figures('ours') });
  const ratio = (figure: 'rss' | 'heap' | 'connectsPerSecond') => {
    const bare = of('bare', figure);
    return median(of('ours', figure).map((value, index) => value / (bare[index] ?? 0)));
  };
  const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED');
  console.log(
    `  memory ${ratio('rss').toFixed(2)} × (heap ${ratio('heap').toFixed(2)} ×), ≤ ${MEMORY_MOST}: ${verdict(ratio('rss') <= MEMORY_MOST)}; connects ${ratio('connectsPerSecond').toFixed(2)} ×, ≥ ${CONNECTS_LEAST}: ${verdict(ratio('connectsPerSecond') >= CONNECTS_LEAST)}`,
  );
}
