import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { connectRunning } from '../../apps/server/src/db/embedded-postgres.ts';
import { debianServer } from '../lib/servers.ts';

/** The database of the server under test. */
export interface FaultDatabase {
  readonly title: string;
  /** The URL for the server; null if the server uses its embedded database. */
  readonly url: string | null;
  /** Kills the database like a crash; its supervisor restarts it. Null if the bench didn't start it. */
  readonly kill: (() => Promise<void>) | null;
  /** Opens a connection of the bench's own. @throws Error while the database is down */
  connect(): Promise<pg.Client>;
  dispose(): Promise<void>;
}

/**
 * Prepares a database.
 * @param which `embedded`, `debian` (the package's PostgreSQL 15), or the URL of a server on which a database is created
 */
export async function openFaultDatabase(which: string, dataDir: string): Promise<FaultDatabase> {
  if (which === 'embedded') return embedded(dataDir);
  return which === 'debian' ? debian() : ofUrl(which);
}

function embedded(dataDir: string): FaultDatabase {
  return {
    title: 'embedded PostgreSQL',
    url: null,
    async kill() {
      const cluster = (await readdir(dataDir)).find((name) => /^postgres-\d+$/.test(name)) ?? '';
      const lines = await readFile(path.join(dataDir, cluster, 'postmaster.pid'), 'utf8').catch(
        () => '',
      );
      // There is no file while the database restarts.
      const pid = Number(lines.split('\n')[0]);
      if (pid > 0) process.kill(pid, 'SIGKILL');
    },
    async connect() {
      const connection = await connectRunning(dataDir);
      if (connection === null) throw new Error('the embedded database is down');
      return connected(new pg.Client(connection));
    },
    dispose: async () => undefined,
  };
}

async function debian(): Promise<FaultDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-faults-pg-'));
  const server = await debianServer(folder);
  if (server === null) throw new Error('the package postgresql-15 is not installed');
  const url = await server.database('stagedoor');
  return {
    title: server.title,
    url,
    kill: server.crash,
    connect: () => connected(new pg.Client({ connectionString: url })),
    async dispose() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ofUrl(server: string): Promise<FaultDatabase> {
  const name = `stagedoor_faults_${randomBytes(4).toString('hex')}`;
  const administer = async (statement: string) => {
    const client = await connected(new pg.Client({ connectionString: server }));
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await administer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    title: `PostgreSQL at ${url.host || 'a socket'}`,
    url: url.href,
    kill: null,
    connect: () => connected(new pg.Client({ connectionString: url.href })),
    dispose: () => administer(`drop database if exists ${name} with (force)`),
  };
}

async function connected(client: pg.Client): Promise<pg.Client> {
  // A lost connection shows up as a failed query. An unhandled `error` event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
