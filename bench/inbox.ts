import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ConversationPage } from '@stagedoor/contract/inbox/conversations';
import { generate, MEASURING_ADMIN, RARE } from './generate.ts';
import {
  CACHE,
  isGenerated,
  type Percentiles,
  percentiles,
  RESULTS,
  schemaName,
} from './lib/measure.ts';
import { type DatabaseServer, debianServer, embeddedServer } from './lib/servers.ts';
import { type Session, startSession } from './lib/session.ts';

const MESSAGES_PER_CONVERSATION = 10;

const USAGE = `Measures the inbox, conversations and search over HTTP, at two sizes side by side.

  npm run bench:inbox -- [--sizes 1000,100000] [--rounds 60]

Each round makes every call once at either size, one after the other, so that what disturbs the machine disturbs both.
The databases are generated once and kept in ${CACHE}.
`;

/** Runs the benchmark and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '1000,100000' },
      rounds: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  });
  const sizes = values.sizes.split(',').map(Number);
  const rounds = Number(values.rounds);
  if (values.help || !(rounds > 0) || !sizes.every((size) => size > 0)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const starts = [
    () => embeddedServer(path.resolve(CACHE, 'embedded')),
    () => debianServer(path.resolve(CACHE, 'debian')),
  ];
  const results: Result[] = [];
  for (const start of starts) {
    const server = await start();
    if (server === null) {
      console.log('\nPostgreSQL 15 is not installed here (/usr/lib/postgresql/15): skipped');
      continue;
    }
    try {
      results.push(await measureServer(server, sizes, rounds));
    } finally {
      await server.stop();
    }
  }
  await mkdir(RESULTS, { recursive: true });
  const file = `${RESULTS}/inbox-${new Date().toISOString().replaceAll(':', '-')}.json`;
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  console.log(`\nWritten to ${file}`);
  return 0;
}

interface Result {
  readonly database: string;
  /** Milliseconds of each call at each size. */
  readonly calls: Record<string, Record<number, Percentiles>>;
}

async function measureServer(
  server: DatabaseServer,
  sizes: readonly number[],
  rounds: number,
): Promise<Result> {
  console.log(`\n${server.title}`);
  const sides = [];
  try {
    for (const size of sizes) sides.push(await openSide(server, size));
    const calls: Result['calls'] = {};
    const names = Object.keys(sides[0]?.calls ?? {});
    for (const name of names) calls[name] = {};
    const times = new Map<string, number[]>();
    // The first iterations warm up caches and prepared statements.
    for (let round = -5; round < rounds; round++) {
      for (const name of names) {
        for (const { size, session, calls: paths } of sides) {
          const path = paths[name] ?? '';
          const started = performance.now();
          await session.get(path);
          const key = `${name} ${size}`;
          if (round >= 0) times.set(key, [...(times.get(key) ?? []), performance.now() - started]);
        }
      }
    }
    console.log(heading(sizes));
    for (const name of names) {
      const at = Object.fromEntries(
        sizes.map((size) => [size, percentiles(times.get(`${name} ${size}`) ?? [])]),
      );
      calls[name] = at;
      console.log(
        line(
          name,
          sizes.map((size) => at[size]).filter((figure) => figure !== undefined),
        ),
      );
    }
    return { database: server.title, calls };
  } finally {
    for (const { session } of sides) await session.stop();
  }
}

/** Starts a server process on a database of the given size, and returns the path of each call. */
async function openSide(server: DatabaseServer, size: number) {
  const url = await server.database(`bench_${size}_${await schemaName()}`);
  if (!(await isGenerated(url))) {
    console.log(`  generating ${size} conversations`);
    const messages = size * MESSAGES_PER_CONVERSATION;
    await generate({ url, conversations: size, messages, log: (text) => console.log(text) });
  }
  const session = await startSession(url, MEASURING_ADMIN);
  try {
    return { size, session, calls: await callsOf(session) };
  } catch (error) {
    await session.stop();
    throw error;
  }
}

const API = '/api/messages/admin';

/** Returns the paths to measure, by name. */
async function callsOf(session: Session): Promise<Record<string, string>> {
  const calls: Record<string, string> = {};
  for (const filter of ['all', 'unread', 'mine', 'archived']) {
    calls[`${filter}, first page`] = `${API}/inbox?filter=${filter}`;
  }
  for (const sort of ['unread_first', 'newest', 'longest_waiting']) {
    const first = `${API}/inbox?filter=all&sort=${sort}`;
    calls[`all by ${sort}`] = first;
    calls[`all by ${sort}, next page`] = `${first}&cursor=${await nextCursor(session, first)}`;
  }
  const { cursor, last } = await lastPage(session);
  calls['all, last page'] = `${API}/inbox?filter=all&cursor=${cursor}`;
  calls.stats = `${API}/stats?tz=Europe/Lisbon`;
  calls['my conversations'] = `${API}/my-conversations`;
  calls['a conversation'] = `${API}/conversation/${last}`;
  const [long] = await longest(session);
  calls['its 50 messages'] = `${API}/conversation/${long}/messages?limit=50`;
  const searches = {
    'name, common': 'maria',
    'name, rare': 'caleb girard',
    'name, 2 characters': 'ma',
    'name, miss': 'xqzvkw',
    'text, common': 'love',
    'text, less common': 'vinyl',
    'text, uncommon': 'orange',
    'text, rare': RARE.word,
    'text, miss': 'unobtainable',
    'text, 2 characters': 'th',
    'miss, 2 characters': 'qz',
  };
  for (const [name, text] of Object.entries(searches)) {
    calls[`search: ${name}`] = `${API}/search?q=${encodeURIComponent(text)}`;
  }
  return calls;
}

async function nextCursor(session: Session, path: string): Promise<string> {
  const page = (await session.get(path)) as ConversationPage;
  if (page.next_cursor === null) throw new Error(`${path} has one page only`);
  return page.next_cursor;
}

/**
 * Returns the cursor of the last page and a conversation on that page. Jumps near the end by offset, then follows the cursors.
 */
async function lastPage(session: Session): Promise<{ cursor: string; last: string }> {
  const { total } = (await session.get(`${API}/inbox?limit=1`)) as ConversationPage;
  const path = `${API}/inbox?filter=all&offset=${Math.max(0, total - 30)}&limit=10`;
  const cursor = await nextCursor(session, path);
  const page = (await session.get(`${API}/inbox?filter=all&cursor=${cursor}`)) as ConversationPage;
  const last = page.data.at(-1);
  if (page.next_cursor !== null || last === undefined) throw new Error('this is not the last page');
  return { cursor, last: last.id };
}

/** Returns conversations from a page sorted by newest that hold more than one page of messages. */
async function longest(session: Session): Promise<string[]> {
  const long: string[] = [];
  for (let offset = 0; long.length === 0; offset += 200) {
    const path = `${API}/inbox?filter=all&sort=newest&limit=200&offset=${offset}`;
    const page = (await session.get(path)) as ConversationPage;
    if (page.data.length === 0) throw new Error('there is no long conversation');
    long.push(...page.data.filter(({ last_seq }) => last_seq >= 50).map(({ id }) => id));
  }
  return long;
}

const NAME_WIDTH = 32;
const FIGURES_WIDTH = 34;

function heading(sizes: readonly number[]): string {
  const columns = sizes.map((size) => `${size.toLocaleString('en')} (ms)`.padStart(FIGURES_WIDTH));
  const names = sizes.map(() => 'min     p50     p95     p99'.padStart(FIGURES_WIDTH));
  return `${' '.repeat(NAME_WIDTH)}${columns.join('')}\n${' '.repeat(NAME_WIDTH)}${names.join('')}   ratio of p50`;
}

function line(name: string, figures: readonly Percentiles[]): string {
  const shown = figures.map(({ min, p50, p95, p99 }) =>
    [min, p50, p95, p99]
      .map((ms) => ms.toFixed(1).padStart(8))
      .join('')
      .padStart(FIGURES_WIDTH),
  );
  const [first, last] = [figures[0], figures.at(-1)];
  const ratio = first && last ? (last.p50 / first.p50).toFixed(2) : '';
  return `${name.padEnd(NAME_WIDTH)}${shown.join('')}${ratio.padStart(9)}`;
}
