import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../test/until.ts';
import {
  connectRunning,
  type EmbeddedConnection,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';

let dataDir: string;
let running: EmbeddedPostgres[];
let lines: string[];

beforeEach(async () => {
  // A path that every user can reach; a long TMPDIR would move the socket elsewhere.
  dataDir = await mkdtemp(path.join(tmpdir(), 'sd-pg-'));
  running = [];
  lines = [];
});

afterEach(async () => {
  for (const server of running.reverse()) await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(directory = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDir: directory,
    log: (line) => lines.push(line),
  });
  running.push(server);
  return server;
}

async function query<Row extends pg.QueryResultRow>(
  connection: EmbeddedConnection,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

function clusterDir(): string {
  return path.join(dataDir, 'postgres-18');
}

async function postmasterPid(): Promise<number> {
  const lock = await readFile(path.join(clusterDir(), 'postmaster.pid'), 'utf8');
  return Number.parseInt(lock, 10);
}

test('starts from nothing, durable, on a socket only, and handles non-ASCII letters', async () => {
  const { connection, adopted } = await start();
  expect(adopted).toBe(false);
  const [row] = await query(
    connection,
    `SELECT current_setting('fsync') AS fsync, current_setting('listen_addresses') AS addresses,
            current_setting('TimeZone') AS zone, lower('ÉŁÜ') AS lower, 'É' ILIKE 'é' AS alike`,
  );
  expect(row).toEqual({ fsync: 'on', addresses: '', zone: 'UTC', lower: 'éłü', alike: true });
  await query(connection, 'CREATE EXTENSION pg_trgm');
  const [trigrams] = await query<{ n: number }>(
    connection,
    `SELECT cardinality(show_trgm('Éàł')) AS n`,
  );
  expect(trigrams?.n).toBe(4);
});

test('a second start finds what the first one wrote and creates nothing', async () => {
  const first = await start();
  await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  expect(existsSync(path.join(clusterDir(), 'postmaster.pid'))).toBe(false);
  lines.length = 0;
  const { connection } = await start();
  expect(await query(connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  expect(lines).toEqual([]);
});

test('comes back by itself after kill -9, with every confirmed row', async () => {
  const { connection } = await start();
  await query(connection, 'CREATE TABLE confirmed (n int PRIMARY KEY)');
  const writer = new pg.Client(connection);
  writer.on('error', () => undefined);
  await writer.connect();
  let confirmed = 0;
  const killed = until('rows are confirmed', () => confirmed > 50).then(async () =>
    process.kill(await postmasterPid(), 'SIGKILL'),
  );
  try {
    for (let n = 1; ; n += 1) {
      await writer.query('INSERT INTO confirmed VALUES ($1)', [n]);
      confirmed = n;
    }
  } catch {
    // The kill interrupts the writer during an insert, as intended.
  }
  await killed;
  await until('it answers', () =>
    query(connection, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  const [row] = await query<{ n: number }>(connection, 'SELECT count(*)::int AS n FROM confirmed');
  // The last insert may have been written although its confirmation never arrived.
  expect([confirmed, confirmed + 1]).toContain(row?.n);
});

test('a data directory with too long a path gets its socket elsewhere', async () => {
  const deep = path.join(dataDir, 'a'.repeat(60), 'b, "c"'.repeat(10));
  const { connection } = await start(deep);
  expect(connection.host.length).toBeLessThan(90);
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await connectRunning(deep)).toEqual(connection);
});

test('a stale lock file is no obstacle, even if its process id is in use again', async () => {
  await (await start()).stop();
  const lockFile = path.join(clusterDir(), 'postmaster.pid');
  const gone = spawn('true');
  await once(gone, 'exit');
  for (const pid of [gone.pid, process.pid]) {
    await writeFile(lockFile, `${pid}\n${clusterDir()}\n1\n5432\n${clusterDir()}\n\n\n`);
    const server = await start();
    expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  }
});

test('a cluster whose creation was interrupted is created again', async () => {
  const gone = spawn('true');
  await once(gone, 'exit');
  const draft = `${clusterDir()}.new-${gone.pid}`;
  await mkdir(draft);
  await writeFile(path.join(draft, 'PG_VERSION'), '18\n');
  await start();
  expect(existsSync(draft)).toBe(false);
});

test('a running database is adopted, and left running while someone else uses it', async () => {
  const owner = await start();
  const tenant = new pg.Client(owner.connection);
  await tenant.connect();
  const second = await start();
  expect(second.adopted).toBe(true);
  expect(second.connection).toEqual(owner.connection);
  await second.stop();
  expect((await tenant.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await tenant.end();
});

test.for([
  ['an ordinary path', ''],
  ['too long a path', 'a'.repeat(90)],
])(
  'an adopted database is started again when its owner stops it, with %s',
  async ([, folder = '']) => {
    const directory = path.join(dataDir, folder);
    const owner = await start(directory);
    const second = await start(directory);
    await query(owner.connection, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await owner.stop();
    const rows = await until('it answers', () =>
      query(second.connection, 'SELECT answer FROM kept').catch(() => null),
    );
    expect(rows).toEqual([{ answer: 42 }]);
    await second.stop();
    expect(await connectRunning(directory)).toBeNull();
  },
);

test('a command-line tool finds the running database, and none once it has stopped', async () => {
  expect(await connectRunning(dataDir)).toBeNull();
  const server = await start();
  expect(await connectRunning(dataDir)).toEqual(server.connection);
  await server.stop();
  expect(await connectRunning(dataDir)).toBeNull();
});

test('no other user can connect to the database, not even the one it runs as for root', async () => {
  const { connection } = await start();
  expect((await stat(clusterDir())).mode & 0o077).toBe(0);
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(65_534);
  try {
    await expect(query(connection, 'SELECT 1')).rejects.toThrow();
  } finally {
    process.seteuid?.(0);
  }
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
