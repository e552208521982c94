import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { connectRunning } from '../../apps/server/src/db/embedded-postgres.ts';
import { query } from './query.ts';
import { debianServer } from './servers.ts';

/** The database of the server under test. */
export interface Database {
  readonly title: string;
  /** The URL for the server; null if the server uses its embedded database. */
  readonly url: string | null;
  /** Kills the database, as in a crash; its supervisor restarts it. Null if the bench didn't start it. */
  readonly kill: (() => Promise<void>) | null;
  /** Opens a connection for the bench. @throws Error while the database is down */
  connect(): Promise<pg.Client>;
  dispose(): Promise<void>;
}

/** Prepares the database of an installation, see `InstallationOptions`. */
export async function openDatabase(
  { database = 'embedded', databaseUrl }: { database?: string; databaseUrl?: string },
  dataDir: string,
): Promise<Database> {
  if (databaseUrl !== undefined) return existing(databaseUrl);
  if (database === 'embedded') return embedded(dataDir);
  return database === 'debian' ? debian() : createdOn(database);
}

function embedded(dataDir: string): Database {
  return {
    title: 'embedded PostgreSQL',
    url: null,
    kill: () => killEmbedded(dataDir),
    async connect() {
      const connection = await connectRunning(dataDir);
      if (connection === null) throw new Error('the embedded database is down');
      return connected(new pg.Client(connection));
    },
    dispose: async () => undefined,
  };
}

/** Kills the embedded database in this data folder; its supervisor restarts it. */
export async function killEmbedded(dataDir: string): Promise<void> {
  const cluster = (await readdir(dataDir)).find((name) => /^postgres-\d+$/.test(name)) ?? '';
  const lines = await readFile(path.join(dataDir, cluster, 'postmaster.pid'), 'utf8').catch(
    () => '',
  );
  // There is no file while the database restarts.
  const pid = Number(lines.split('\n')[0]);
  if (pid > 0) process.kill(pid, 'SIGKILL');
}

/** Returns a database that the bench neither starts nor removes. */
export const existing = (url: string): Database => ({
  title: `PostgreSQL at ${new URL(url).host}`,
  url,
  kill: null,
  connect: () => connected(new pg.Client({ connectionString: url })),
  dispose: async () => undefined,
});

async function debian(): Promise<Database> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-pg-'));
  const server = await debianServer(folder);
  return {
    ...existing(await server.database('stagedoor')),
    title: server.title,
    kill: server.crash,
    async dispose() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createdOn(server: string): Promise<Database> {
  const name = `stagedoor_faults_${randomBytes(4).toString('hex')}`;
  await query(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    ...existing(url.href),
    dispose: async () => void (await query(server, `drop database if exists ${name} with (force)`)),
  };
}

async function connected(client: pg.Client): Promise<pg.Client> {
  // A lost connection shows up as a failed query. An unhandled `error` event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
