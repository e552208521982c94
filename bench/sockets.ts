import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { debianServer, embeddedServer } from './lib/servers.ts';
import { median } from './send/report.ts';
import { type Idle, measureIdle, type SocketServer } from './sockets/measure.ts';
import { measureStarts, type StartTimes } from './sockets/start-times.ts';

/** Limits for the ratio of our server to the bare one. */
const MEMORY_MOST = 1.5;
const CONNECTS_LEAST = 0.6;
const SERVERS = { bare: 'bare Socket.IO', ours: 'Stagedoor' } as const;

const USAGE = `Measures what sockets of staff that say nothing cost, beside bare Socket.IO, and how long a server takes to start.

  ulimit -n 20000
  npm run bench:sockets -- [--sockets 2000,10000] [--rounds 3] [--json FILE]

Each measurement has a server process of its own, one after the other. With --rounds 0 no sockets are opened; --starts 0 leaves
out the starts.
`;

/** Runs the benchmark and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      sockets: { ...text, default: '2000,10000' },
      rounds: { ...text, default: '3' },
      starts: { ...text, default: '3' },
      json: text,
      help: { type: 'boolean', default: false },
    },
  });
  const sizes = values.sockets.split(',').map(Number);
  const [rounds = 0, starts = 0] = [values.rounds, values.starts].map(Number);
  if (values.help || !sizes.every((size) => size > 0) || !(rounds >= 0 && starts >= 0)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const results = await measureSizes(sizes, rounds);
  console.log(`\n${table(results).join('\n')}`);
  const times: StartTimes[] = [];
  for (let start = 0; start < starts; start++) times.push(await measureStarts());
  if (times.length > 0) {
    const of = (name: keyof StartTimes) =>
      (median(times.map((time) => time[name])) / 1000).toFixed(1);
    console.log(
      `\nuntil the server answers: ${of('cold')} s with an empty folder, ${of('warm')} s again`,
    );
  }
  if (values.json !== undefined) {
    await writeFile(
      values.json,
      `${JSON.stringify({ sockets: results, starts: times }, null, 2)}\n`,
    );
  }
  return 0;
}

type Result = Idle & { readonly server: SocketServer };

async function measureSizes(sizes: readonly number[], rounds: number): Promise<Result[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-sockets-'));
  // The database servers run as other users.
  await chmod(folder, 0o755);
  const server =
    (await debianServer(path.join(folder, 'pg'))) ??
    (await embeddedServer(path.join(folder, 'pg')));
  const results: Result[] = [];
  try {
    const databaseUrl = await server.database('ours');
    for (let round = 1; round <= rounds; round++) {
      for (const size of sizes) {
        for (const name of ['bare', 'ours'] as const) {
          const idle = await measureIdle(name, size, { databaseUrl, folder, round });
          results.push({ server: name, ...idle });
          console.log(
            `  round ${round} of ${rounds}: ${idle.open} of ${size} sockets at ${SERVERS[name]}, ${idle.connectsPerSecond.toFixed(0)} connects/s`,
          );
        }
      }
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}

function table(results: readonly Result[]): string[] {
  const sizes = [...new Set(results.map(({ sockets }) => sockets))];
  const heading = `${''.padEnd(30)}KiB a socket   of it heap   connects/s`;
  return [heading, ...sizes.flatMap((size) => linesOf(results, size))];
}

function linesOf(results: readonly Result[], size: number): string[] {
  const all = (server: SocketServer) =>
    results.filter((one) => one.sockets === size && one.server === server);
  const middle = (server: SocketServer, figure: 'rss' | 'heap' | 'connectsPerSecond') =>
    median(all(server).map((one) => one[figure]));
  const ratio = (figure: 'rss' | 'heap' | 'connectsPerSecond') =>
    median(all('ours').map((one, index) => one[figure] / (all('bare')[index]?.[figure] ?? 0)));
  const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED');
  return [
    ...(['bare', 'ours'] as const).map(
      (server) =>
        `${size} at ${SERVERS[server]}`.padEnd(30) +
        (middle(server, 'rss') / 1024).toFixed(1).padStart(12) +
        (middle(server, 'heap') / 1024).toFixed(1).padStart(13) +
        middle(server, 'connectsPerSecond').toFixed(0).padStart(13),
    ),
    `  memory ${ratio('rss').toFixed(2)} × (heap ${ratio('heap').toFixed(2)} ×), ≤ ${MEMORY_MOST}: ${verdict(ratio('rss') <= MEMORY_MOST)}; connects ${ratio('connectsPerSecond').toFixed(2)} ×, ≥ ${CONNECTS_LEAST}: ${verdict(ratio('connectsPerSecond') >= CONNECTS_LEAST)}`,
  ];
}
