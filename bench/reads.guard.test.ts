import { afterAll, expect, test } from 'vitest';
import { startTestApp } from '../apps/server/test/test-app.ts';
import { generate, MEASURING_ADMIN, RARE } from './generate.ts';
import { startBare } from './lib/live/child.ts';
import { staffReads } from './lib/reads/calls.ts';
import { timedGet } from './lib/reads/timed-get.ts';
import { temporaryServer } from './lib/servers.ts';

/** Large enough to expose a page that reads or sorts a whole list, and small enough to generate in seconds. */
const SMALL = { conversations: 500, messages: 2_000 };
const LARGE = { conversations: 10_000, messages: 20_000 };
const ROUNDS = 20;
/** About twice the goals of `npm run bench:reads` on a quiet machine. */
const BOUNDS = { size: 2.5, depth: 3, floor: 4 };
const TRIES = 6;

const LISTS = [
  'inbox: all by unread_first',
  'inbox: all by newest',
  'inbox: all by longest_waiting',
  'inbox: unread by newest',
];

const server = await temporaryServer('embedded', { fsync: 'off' });
const stops: (() => unknown)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
  await server.stop();
});

/** Starts a server on a database of this size. Returns timed calls to it and to the bare server. */
async function open(name: string, amount: typeof SMALL) {
  const url = await server.database(name);
  await generate({ url, ...amount });
  const app = await startTestApp({ databaseUrl: url });
  const floor = await startBare('read-server.mjs', [url]);
  stops.unshift(
    () => app.close(),
    () => floor.stop(),
  );
  const [admin] = await app.db.runPlanned<{ id: string }>(
    'select id from admins where email = $1',
    [MEASURING_ADMIN],
  );
  const token = await app.insertSession(admin?.id ?? '');
  const staff = app.staff(token);
  const reads = await staffReads(async (path) => {
    const { status, text } = await staff.raw('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
    return JSON.parse(text) as unknown;
  }, RARE.word);
  const ours = timedGet({ authorization: `Bearer ${token}` });
  const bare = timedGet();
  stops.unshift(ours.close, bare.close);
  const paths = new Map(reads.map(({ name: call, paths: [first = ''] }) => [call, first]));
  return {
    time: (call: string) => ours.get(`${app.app.address}${paths.get(call)}`),
    timeFloor: () => bare.get(`${floor.address}/conversations`),
  };
}

const [small, large] = [await open('small', SMALL), await open('large', LARGE)];

/** The minimum of all iterations so far by call, in milliseconds; other load on the machine affects it least. */
const least = new Map<string, number>();

async function measure(): Promise<void> {
  const take = (name: string, ms: number) =>
    least.set(name, Math.min(ms, least.get(name) ?? Number.POSITIVE_INFINITY));
  for (let round = 0; round < ROUNDS; round++) {
    for (const list of LISTS) {
      take('floor', await large.timeFloor());
      take(`${list}, small`, await small.time(list));
      take(list, await large.time(list));
      take(`${list}, last page`, await large.time(`${list}, last page`));
    }
  }
}

/** Returns the calls that take too long, with their ratio to the reference. */
function misses(): Record<string, number> {
  const missed: Record<string, number> = {};
  const hold = (title: string, call: string, other: string, bound: number) => {
    const ratio = (least.get(call) ?? Number.NaN) / (least.get(other) ?? Number.NaN);
    if (!(ratio <= bound)) missed[title] = ratio;
  };
  for (const list of LISTS) {
    hold(`${list}: of 10,000 to of 500`, list, `${list}, small`, BOUNDS.size);
    hold(`${list}: last page to first`, `${list}, last page`, list, BOUNDS.depth);
    hold(`${list}: to the bare server`, list, 'floor', BOUNDS.floor);
  }
  return missed;
}

test('a page takes about as long with many conversations as with few, at the end as at the top, and on a bare server', async () => {
  await measure();
  for (let again = 1; again < TRIES && Object.keys(misses()).length > 0; again++) await measure();
  expect(misses()).toEqual({});
});
