import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded-postgres.ts';
import { onDatabase } from '../../apps/server/test/on-database.ts';
import { until } from '../../apps/server/test/until.ts';

const execute = promisify(execFile);

/** The folder for generated databases, which are kept between runs. */
export const CACHE = '.stagedoor/bench';

export interface DatabaseServer {
  readonly title: string;
  /** Returns the URL of a database; creates it empty if it doesn't exist. */
  database(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** A server that can be killed as in a crash. It then restarts, as under a service manager. */
export interface KillableServer extends DatabaseServer {
  /** Kills the server and resolves once it accepts connections again. */
  readonly crash: () => Promise<void>;
}

/**
 * Starts a server in a new folder, which is deleted when it stops.
 * @param which `debian` falls back to the embedded server if the package is not installed
 */
export async function temporaryServer(
  which: 'embedded' | 'debian' = 'embedded',
  settings: Readonly<Record<string, string>> = {},
): Promise<DatabaseServer & { readonly folder: string; readonly data: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-'));
  // The database servers run as other users, who need access to this folder.
  await chmod(folder, 0o755);
  const data = path.join(folder, 'database');
  const start = which === 'debian' && hasDebianServer ? debianServer : embeddedServer;
  const server = await start(data, settings);
  return {
    ...server,
    folder,
    data,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Settings for filling a database that can be regenerated after a crash: bulk loads skip the write-ahead log. */
export const FILLING_SETTINGS = {
  fsync: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
};

/** Starts the database that the server embeds, with its usual settings plus the given ones. */
export async function embeddedServer(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<DatabaseServer> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, settings });
  return {
    title: 'embedded PostgreSQL 18',
    database: (name) => ensureDatabase(server.connection, name),
    stop: () => server.stop(),
  };
}

const POSTGRES_15 = '/usr/lib/postgresql/15/bin';
/** Whether the package postgresql-15 is installed. */
export const hasDebianServer = existsSync(path.join(POSTGRES_15, 'postgres'));
export const DEBIAN_MISSING = 'the package postgresql-15 is not installed';
/** Delay before a server that has exited is restarted. Milliseconds. */
const RESTART_MS = 50;
/** The service user of the Debian package; PostgreSQL refuses to run as root. */
const DEBIAN_USER = 'postgres';
export const DEBIAN_SUPERUSER = 'bench';

/**
 * Starts a private PostgreSQL 15 from the Debian package on the cluster `main` in the folder. Creates a missing cluster.
 * @param settings override the package's defaults
 * @throws Error when the package is not installed
 */
export async function debianServer(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<KillableServer> {
  if (!hasDebianServer) throw new Error(DEBIAN_MISSING);
  return { ...(await privateServer(POSTGRES_15, folder, settings)), title: 'PostgreSQL 15' };
}

/** Starts a server like {@link debianServer}, with the programs from another folder. */
export async function privateServer(
  programs: string,
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<KillableServer> {
  const credentials = await ownedByService(folder);
  const cluster = path.join(folder, 'main');
  const user = DEBIAN_SUPERUSER;
  const connection = { host: folder, user, port: Number(settings.port ?? 5432) };
  if (!existsSync(path.join(cluster, 'PG_VERSION'))) {
    const args = ['-D', cluster, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'];
    await execute(path.join(programs, 'initdb'), args, { ...credentials, cwd: folder });
  }
  const all = { listen_addresses: '', unix_socket_directories: folder, ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const run = () =>
    spawn(path.join(programs, 'postgres'), ['-D', cluster, ...options], {
      ...credentials,
      cwd: cluster,
      stdio: 'ignore',
    });
  let child = run();
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      child.removeAllListeners('exit');
      child.once('exit', () => resolve());
      child.kill(signal);
    });
  /** Restarts the server each time it exits, as often as needed: it can't start while a killed server's child processes run. */
  function keepUp(): void {
    child.once('exit', () => {
      setTimeout(() => {
        child = run();
        keepUp();
      }, RESTART_MS);
    });
  }
  await reachable(connection);
  return {
    title: `PostgreSQL of ${programs}`,
    database: (name) => ensureDatabase(connection, name),
    stop: () => end('SIGINT'),
    async crash() {
      await end('SIGKILL');
      child = run();
      keepUp();
      await reachable(connection);
    },
  };
}

/** Creates a folder owned by PostgreSQL's service user. @returns the ids to run programs as; none if this process isn't root */
export async function ownedByService(folder: string): Promise<{ uid?: number; gid?: number }> {
  await mkdir(folder, { recursive: true });
  const credentials = await serviceCredentials();
  if (credentials.uid !== undefined) await chown(folder, credentials.uid, credentials.gid ?? 0);
  return credentials;
}

async function serviceCredentials(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await execute('id', [flag, DEBIAN_USER])).stdout)),
  );
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

const reachable = (connection: pg.ClientConfig) =>
  until(
    'PostgreSQL accepts connections',
    () => onDatabase({ ...connection, database: 'postgres' }, async () => true).catch(() => false),
    60_000,
  );

async function ensureDatabase(connection: pg.ClientConfig, name: string): Promise<string> {
  const { host = '', user } = connection;
  await onDatabase({ ...connection, database: 'postgres' }, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${name}`);
  });
  return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`;
}
