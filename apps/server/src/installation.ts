import { mkdir } from 'node:fs/promises';
import type { Config } from './config.ts';
import { type ConnectionOptions, type Database, openDatabase } from './db/database.ts';
import { connectRunning, startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import { isHalfRestored } from './db/unfinished-restore.ts';
import { createLogger, type Logger } from './log.ts';

/** The installation's migrated database, and a function to close it. */
export interface OpenInstallation {
  readonly db: Database;
  close(): Promise<void>;
}

/** The settings that determine which database to open. */
type DatabaseSettings = Pick<Config, 'dataDir' | 'databaseUrl'> &
  Partial<Pick<Config, 'databaseReplicaUrl'>>;

/**
 * Connects to the configured PostgreSQL server, or starts the embedded one, and migrates the schema.
 * @throws Error if the database can't be opened or migrated, or a restore was left unfinished
 */
export async function openInstallation(
  config: DatabaseSettings,
  log: Logger,
): Promise<OpenInstallation> {
  const { db, close } = await openUnmigrated(config, log);
  try {
    if (await isHalfRestored(db.kysely)) {
      throw new Error('a restore into this database was not finished. Run npm run restore again.');
    }
    const applied = await migrate(db.kysely);
    if (applied.length > 0) log.info({ applied }, 'migrated the database');
  } catch (error) {
    await close();
    throw error;
  }
  return { db, close };
}

/**
 * Connects to the running server's database if there is one. Otherwise opens the database itself, with `openAlone`.
 */
export async function openBeside(
  config: DatabaseSettings,
  openAlone = openInstallation,
): Promise<OpenInstallation> {
  const running = config.databaseUrl === null ? await connectRunning(config.dataDir) : null;
  if (running === null) return openAlone(config, createLogger('warn'));
  const db = openDatabase(running, (error) => console.error(error.message));
  return { db, close: () => db.close() };
}

/** Opens the database without changing it: the schema may be older than this program, or missing. */
export async function openUnmigrated(
  config: DatabaseSettings,
  log: Logger,
): Promise<OpenInstallation> {
  await mkdir(config.dataDir, { recursive: true });
  const { connection, stop } = await connect(config, log);
  const db = openDatabase(
    connection,
    (error) => log.warn({ err: error }, 'a database connection broke'),
    replicaOf(config, log),
  );
  return {
    db,
    async close() {
      await db.close();
      await stop();
    },
  };
}

function replicaOf({ databaseReplicaUrl: url = null }: DatabaseSettings, log: Logger) {
  if (url === null) return null;
  const changed = (isFit: boolean) =>
    isFit
      ? log.info({}, 'reading from the replica')
      : log.warn({}, 'the replica is away or behind: reading from the writer');
  return { url, changed };
}

async function connect(
  config: DatabaseSettings,
  log: Logger,
): Promise<{ connection: ConnectionOptions; stop(): Promise<void> }> {
  if (config.databaseUrl !== null) {
    return { connection: { connectionString: config.databaseUrl }, stop: async () => undefined };
  }
  return startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message) => log.debug({ database: message }, 'embedded database'),
  });
}
