import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { openJobs } from '../src/jobs/pg-boss-jobs.ts';
import { onDatabase } from './on-database.ts';

/** A migrated, empty database and its server; plain data, so that it can be passed to workers. */
export interface TemplateDatabase {
  /** The server's URL, for a user who may create databases. */
  serverUrl: string;
  /** The database to copy; also the prefix of the copies' names. */
  name: string;
}

/** A test file's own database. */
export interface TestDatabase {
  url: string;
  /** Drops it, even with open connections. */
  drop(): Promise<void>;
}

/**
 * Prepares the template on the server of `TEST_DATABASE_URL`, or on an embedded one in a temporary directory. `stop` removes all
 * databases that the tests left.
 */
export async function startTemplateDatabase(
  externalUrl: string | undefined,
): Promise<{ template: TemplateDatabase; stop(): Promise<void> }> {
  const server = externalUrl ? await external(externalUrl) : await embedded();
  const template = {
    serverUrl: server.url,
    name: `stagedoor_test_${randomBytes(4).toString('hex')}`,
  };
  const stop = async (): Promise<void> => {
    const leftovers = await onDatabase({ connectionString: template.serverUrl }, async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
        [template.name],
      );
      return rows.map((row) => row.datname);
    });
    for (const name of leftovers) await dropDatabase(template.serverUrl, name);
    await server.stop();
  };
  try {
    await onDatabase({ connectionString: template.serverUrl }, (client) =>
      client.query(`CREATE DATABASE ${template.name} TEMPLATE template0 ${server.locale}`),
    );
    const broken: Error[] = [];
    const database = openDatabase(
      { connectionString: databaseUrl(template.serverUrl, template.name) },
      (error) => broken.push(error),
    );
    await migrate(database.kysely);
    // Creates the job queue's tables too, so that no test waits for that.
    await (
      await openJobs(database, { warn: (_details, message) => broken.push(Error(message)) })
    ).stop();
    await database.close();
    if (broken[0]) throw broken[0];
  } catch (error) {
    await stop();
    throw error;
  }
  return { template, stop };
}

/** Copies the template in about ten milliseconds. */
export async function copyTemplate({ serverUrl, name }: TemplateDatabase): Promise<TestDatabase> {
  const copy = `${name}_${randomBytes(6).toString('hex')}`;
  await onDatabase({ connectionString: serverUrl }, (client) =>
    // At this size, copying files is faster than writing the template through the log.
    client.query(`CREATE DATABASE ${copy} TEMPLATE ${name} STRATEGY file_copy`),
  );
  return { url: databaseUrl(serverUrl, copy), drop: () => dropDatabase(serverUrl, copy) };
}

interface Server {
  url: string;
  /** A clause for new databases; empty: the server's own locale. */
  locale: string;
  stop(): Promise<void>;
}

async function external(url: string): Promise<Server> {
  await onDatabase({ connectionString: url }, (client) => client.query('SELECT 1'));
  // As in the embedded server: letters beyond ASCII count as letters, and the sort order is the same everywhere.
  const locale = `ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`;
  return { url, locale, stop: () => Promise.resolve() };
}

async function embedded(): Promise<Server> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-test-'));
  const lines: string[] = [];
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      log: (line) => lines.push(line),
      // Tests need no durability, but many connections: test files run at the same time, each with its own pools.
      settings: {
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        max_connections: '200',
      },
    });
    const { host, user } = server.connection;
    return {
      url: `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`,
      locale: '',
      stop: async () => {
        await server.stop();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw new Error(`The tests' database did not start. ${lines.join('. ')}`, { cause: error });
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function dropDatabase(serverUrl: string, name: string): Promise<void> {
  return onDatabase({ connectionString: serverUrl }, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}
