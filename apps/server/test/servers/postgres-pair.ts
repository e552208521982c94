import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { freePort } from '../free-port.ts';
import { leftOut } from '../left-out.ts';
import { onDatabase } from '../on-database.ts';
import { until } from '../until.ts';

const VERSIONS = '/usr/lib/postgresql';
/** The user to run PostgreSQL as if this process is root: PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** How long a server may take to start or to catch up on a busy machine. Milliseconds. */
const PATIENCE_MS = 60_000;

/** Returns the folder of the system's PostgreSQL, or null. The embedded one can't stream to a replica. */
function findPrograms(): string | null {
  try {
    const newest = readdirSync(VERSIONS).sort().at(-1);
    return newest === undefined ? null : `${VERSIONS}/${newest}/bin`;
  } catch {
    return null;
  }
}

export const skipWithoutPostgres = (): boolean =>
  leftOut(
    'Failover is',
    findPrograms() === null ? 'on Debian: apt-get install postgresql-15' : null,
  );

/** One of two servers on this machine. */
export interface PostgresServer {
  readonly port: number;
  /** Runs SQL as the superuser. */
  ask<Row extends object>(text: string): Promise<Row[]>;
  start(): Promise<void>;
  /** Kills the postmaster, as in a crash; the server's other processes notice and end. */
  kill(): Promise<void>;
  /** Makes the server accept writes. */
  promote(): Promise<void>;
  /** Makes the server a replica of the other one from the next start on, as after a demotion. */
  follow(other: PostgresServer): void;
}

/** A server that accepts writes, and its replica. */
export interface PostgresPair {
  readonly writer: PostgresServer;
  readonly replica: PostgresServer;
  /** Returns the URL of their database, with these hosts. */
  url(...hosts: readonly { readonly port: number }[]): string;
  stop(): Promise<void>;
}

/** Starts both servers, with an empty, migrated database. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const bin = findPrograms();
  if (bin === null) throw new Error('PostgreSQL is missing');
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-pair-'));
  chmodSync(folder, 0o755);
  const writer = await serverIn(bin, path.join(folder, 'writer'));
  execute(
    bin,
    'initdb',
    '-D',
    writer.data,
    '-U',
    'app',
    '-A',
    'trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C',
    '--lc-ctype=C.UTF-8',
  );
  appendFileSync(path.join(writer.data, 'postgresql.conf'), SETTINGS);
  await writer.start();
  const replica = await serverIn(bin, path.join(folder, 'replica'));
  execute(
    bin,
    'pg_basebackup',
    '-d',
    conninfo(writer),
    '-D',
    replica.data,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '--no-sync',
  );
  await replica.start();
  const db = openDatabase({ connectionString: urlOf(writer) }, () => undefined);
  await migrate(db.kysely);
  await db.close();
  return {
    writer,
    replica,
    url: urlOf,
    async stop() {
      await Promise.all([writer.kill(), replica.kill()]);
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

const SETTINGS = `
unix_socket_directories = ''
listen_addresses = '127.0.0.1'
fsync = off
max_connections = 100
hot_standby = on
wal_keep_size = 256MB
wal_retrieve_retry_interval = 200ms
wal_log_hints = on
`;

const urlOf = (...hosts: readonly { readonly port: number }[]) =>
  `postgres://app@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`;

const conninfo = ({ port }: { port: number }) =>
  `host=127.0.0.1 port=${port} user=app dbname=postgres`;

function execute(bin: string, program: string, ...args: string[]): void {
  execFileSync(path.join(bin, program), args, { stdio: ['ignore', 'ignore', 'pipe'], ...NOBODY });
}

async function serverIn(bin: string, data: string): Promise<PostgresServer & { data: string }> {
  const port = await freePort();
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid);
  let child: ChildProcess | null = null;
  const server = {
    data,
    port,
    ask: <Row extends object>(text: string) =>
      onDatabase({ host: '127.0.0.1', port, user: 'app', database: 'postgres' }, async (client) => {
        const { rows } = await client.query<Row>(text);
        return rows;
      }),
    async start() {
      child = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port)], {
        stdio: 'ignore',
        ...NOBODY,
      });
      const isOurs = async () => {
        const [row] = await server.ask<{ data_directory: string }>('show data_directory');
        return row?.data_directory === data;
      };
      // Another server may have taken the port.
      await until('it starts', () => isOurs().catch(() => false), PATIENCE_MS);
    },
    async kill() {
      const running = child;
      child = null;
      if (running === null || running.exitCode !== null || running.signalCode !== null) return;
      running.kill('SIGKILL');
      await once(running, 'exit');
    },
    async promote() {
      await server.ask('select pg_promote(true, 60)');
    },
    follow(other: PostgresServer) {
      appendFileSync(path.join(data, 'standby.signal'), '');
      appendFileSync(
        path.join(data, 'postgresql.auto.conf'),
        `primary_conninfo = '${conninfo(other)}'\nrecovery_target_timeline = 'latest'\n`,
      );
    },
  };
  return server;
}
