import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { MEASURING_ADMIN, RARE } from './generate.ts';
import { type Percentiles, percentiles } from './lib/measure.ts';
import { type Call, staffReads } from './lib/reads/calls.ts';
import { startFloor } from './lib/reads/floor.ts';
import { FLOOR_INBOX, FLOOR_MESSAGES, type Goal } from './lib/reads/goals.ts';
import { embeddedServer } from './lib/servers.ts';
import { type Session, startSession } from './lib/session.ts';

/** The first rounds warm up caches and prepared statements. */
const WARM_UP = 6;

const USAGE = `Measures every call by which staff read, over HTTP, on a database that bench:generate has filled.

  npm run bench:reads -- (--url postgres://… | --folder DIR) [--rounds 100] [--only "^search: "] [--json FILE]

Each round makes every call once. A call is compared with its goal, where it has one: a time, or a multiple of what a bare
server (one statement, its rows as JSON) takes in the same round.
`;

/** @returns the exit code */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      folder: { type: 'string' },
      rounds: { type: 'string', default: '100' },
      only: { type: 'string', default: '' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (
    values.help ||
    !(rounds > 0) ||
    (values.url === undefined) === (values.folder === undefined)
  ) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const server = values.url === undefined ? await embeddedServer(values.folder ?? '') : null;
  try {
    const url = values.url ?? (await server?.database('stagedoor')) ?? '';
    const results = await measure(url, rounds, values.only);
    console.log(heading);
    for (const result of results) console.log(line(result));
    if (values.json !== undefined) {
      await writeFile(values.json, `${JSON.stringify({ rounds, results }, null, 2)}\n`);
    }
  } finally {
    await server?.stop();
  }
  return 0;
}

interface Result {
  readonly name: string;
  /** Milliseconds. */
  readonly times: Percentiles;
  readonly goal: string | null;
  readonly reached: boolean | null;
}

async function measure(url: string, rounds: number, only: string): Promise<Result[]> {
  const session = await startSession(url, MEASURING_ADMIN);
  const floor = await startFloor(url);
  try {
    const all = await staffReads((path) => session.get(path), RARE.word);
    const long = all.find(({ name }) => name === 'messages: 50 of a long one')?.paths ?? [];
    const ids = long.map((path) => path.split('/').at(-2));
    const floors: Call[] = [
      { name: FLOOR_INBOX, paths: [`${floor.address}/conversations`], goal: null },
      {
        name: FLOOR_MESSAGES,
        paths: ids.map((id) => `${floor.address}/messages?id=${id}`),
        goal: null,
      },
    ];
    const calls = [...floors, ...all.filter(({ name }) => new RegExp(only).test(name))];
    const times = new Map<string, number[]>();
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const { name, paths } of calls) {
        const took = await timeOf(session, paths[(round + WARM_UP) % paths.length] ?? '');
        if (round >= 0) times.set(name, [...(times.get(name) ?? []), took]);
      }
    }
    const p50 = (name: string) => percentiles(times.get(name) ?? []).p50;
    return calls.map(({ name, goal }) => {
      const figures = percentiles(times.get(name) ?? []);
      return { name, times: figures, ...judge(figures, goal, p50) };
    });
  } finally {
    floor.stop();
    await session.stop();
  }
}

/** Milliseconds until the reply is there whole. */
async function timeOf(session: Session, path: string): Promise<number> {
  const started = performance.now();
  if (path.startsWith('/')) await session.get(path);
  else await (await fetch(path)).json();
  return performance.now() - started;
}

function judge(
  times: Percentiles,
  goal: Goal | null,
  p50: (name: string) => number,
): Pick<Result, 'goal' | 'reached'> {
  if (goal?.p99 !== undefined) {
    return { goal: `p99 ≤ ${goal.p99} ms`, reached: times.p99 <= goal.p99 };
  }
  if (goal?.p50 === undefined) return { goal: null, reached: null };
  const { times: factor, of } = goal.p50;
  const limit = factor * p50(of);
  return { goal: `p50 ≤ ${factor} × ${of} (${limit.toFixed(1)} ms)`, reached: times.p50 <= limit };
}

const NAME_WIDTH = 48;
const heading = `${''.padEnd(NAME_WIDTH)}     min     p50     p95     p99 (ms)   goal`;

function line({ name, times, goal, reached }: Result): string {
  const figures = [times.min, times.p50, times.p95, times.p99]
    .map((ms) => ms.toFixed(1).padStart(8))
    .join('');
  const verdict = reached === null ? '' : reached ? 'reached' : 'MISSED ';
  return `${name.padEnd(NAME_WIDTH)}${figures}        ${verdict} ${goal ?? ''}`.trimEnd();
}
