import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  CACHE,
  isGenerated,
  type Percentiles,
  percentiles,
  RESULTS,
  schemaName,
} from './lib/measure.ts';
import { generateSales } from './lib/sales.ts';
import { embeddedServer } from './lib/servers.ts';
import { type Session, startSession } from './lib/session.ts';

const OWNER = 'owner@example.com';
const API = '/api/admin/analytics';
const DAY_MS = 86_400_000;
/** The first iterations warm up caches and prepared statements. */
const WARM_UP = 3;

const USAGE = `Measures the analytics over HTTP.

  npm run bench:analytics -- [--messages 10000000] [--rounds 40]

The database is generated once and kept in ${CACHE}.
`;

/** Runs the benchmark and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      messages: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '40' },
      help: { type: 'boolean', default: false },
    },
  });
  const [messages, rounds] = [Number(values.messages), Number(values.rounds)];
  if (values.help || !(messages > 0) || !(rounds > 0)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const server = await embeddedServer(path.resolve(CACHE, 'embedded'));
  try {
    const url = await server.database(`analytics_${messages}_${await schemaName()}`);
    if (!(await isGenerated(url))) {
      await generateSales({ url, messages, owner: OWNER, log: (line) => console.log(line) });
    }
    const session = await startSession(url, OWNER);
    try {
      const calls = await measure(session, rounds);
      await mkdir(RESULTS, { recursive: true });
      const file = `${RESULTS}/analytics-${new Date().toISOString().replaceAll(':', '-')}.json`;
      await writeFile(file, `${JSON.stringify({ messages, calls }, null, 2)}\n`);
      console.log(`\nWritten to ${file}`);
    } finally {
      await session.stop();
    }
  } finally {
    await server.stop();
  }
  return 0;
}

async function measure(session: Session, rounds: number): Promise<Record<string, Percentiles>> {
  const results: Record<string, Percentiles> = {};
  console.log(`\n${''.padEnd(36)}     min     p50     p95     p99 (ms)`);
  for (const [name, path] of await callsOf(session)) {
    const times: number[] = [];
    for (let round = -WARM_UP; round < rounds; round++) {
      const started = performance.now();
      await session.get(path);
      if (round >= 0) times.push(performance.now() - started);
    }
    const figures = percentiles(times);
    results[name] = figures;
    const shown = [figures.min, figures.p50, figures.p95, figures.p99].map((ms) =>
      ms.toFixed(1).padStart(8),
    );
    console.log(`${name.padEnd(36)}${shown.join('')}`);
  }
  return results;
}

/** Returns the paths to measure, with their names. */
async function callsOf(session: Session): Promise<[name: string, path: string][]> {
  const calls: [string, string][] = [];
  for (const days of [7, 30, 90, null]) {
    const since = days === null ? '' : new Date(Date.now() - days * DAY_MS).toISOString();
    const range = `tz=Europe/Lisbon${since && `&start_date=${since}`}`;
    const title = days === null ? 'all time' : `${days} days`;
    calls.push([`overview, ${title}`, `${API}/overview?${range}`]);
    calls.push([`sales, ${title}`, `${API}/sales?${range}`]);
    for (const report of ['admins', 'products', 'days']) {
      calls.push([`export of ${report}, ${title}`, `${API}/export?${range}&report=${report}`]);
    }
  }
  const { data, next_cursor } = (await session.get(`${API}/sales`)) as {
    data: { admin_id: string; product_id: string }[];
    next_cursor: string;
  };
  const sale = data[0];
  calls.push(['sales, next page', `${API}/sales?cursor=${next_cursor}`]);
  calls.push(['sales of an admin', `${API}/sales?admin_id=${sale?.admin_id}`]);
  calls.push(['sales of a product', `${API}/sales?product_id=${sale?.product_id}`]);
  calls.push([
    'sales of an admin and a product',
    `${API}/sales?admin_id=${sale?.admin_id}&product_id=${sale?.product_id}`,
  ]);
  return calls;
}
