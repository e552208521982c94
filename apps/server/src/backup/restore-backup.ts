import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { holdInstallation } from '../db/installation-lock.ts';
import { migrate } from '../db/migrate.ts';
import { isHalfRestored, UNFINISHED_RESTORE } from '../db/unfinished-restore.ts';
import { openUnmigrated } from '../installation.ts';
import { makeJobTables } from '../jobs/pg-boss-jobs.ts';
import type { Logger } from '../log.ts';
import { openStorage } from '../storage/open-storage.ts';
import { BackupError, isMissing } from './backup-error.ts';
import { connectAlone, emptyDatabase, isEmpty } from './catalog.ts';
import { filesLine, restoreObjects } from './copy-objects.ts';
import { loadDatabase } from './load-database.ts';
import { type Manifest, secretFile } from './manifest.ts';
import { writePart } from './parts.ts';
import { verifyBackup } from './verify-backup.ts';

/** The file that marks a data directory during a restore. While it exists, the restore wrote everything else in the directory. */
const MARK = 'restore-unfinished';

/** The files and folders that a restore writes to the data directory. */
const FILLED = ['files', 'keys', 'platform-key', 'webhook-secret'];

type Destination = Pick<Config, 'dataDir' | 'databaseUrl' | 's3'>;

/**
 * Verifies a backup completely, then restores it into an empty installation. After a failure the changes are undone, except for
 * objects in a bucket, which the next attempt reuses. If the process is killed, no server starts on the incomplete data, and the
 * next restore clears it first.
 * @param say called with each progress line
 * @throws BackupError if the backup is damaged or made by a newer version, or the installation is not empty
 */
export async function restoreBackup(
  folder: string,
  destination: Destination,
  log: Logger,
  say: (line: string) => void,
): Promise<Manifest> {
  say('Verifying the backup');
  const manifest = await verifyBackup(folder, say);
  const { dataDir } = destination;
  const entries = await entriesOf(dataDir);
  const isLeftover = entries.includes(MARK);
  if (entries.length > 0 && !isLeftover) {
    throw new BackupError(`${dataDir} is not empty. Set DATA_DIR to an empty or a new folder.`);
  }
  await mkdir(dataDir, { recursive: true });
  await writeFile(path.join(dataDir, MARK), 'npm run restore was not finished. Run it again.\n');
  // If the folder was already marked, its files may be deleted only once the database is found to be empty or half restored.
  let mayClear = !isLeftover;
  try {
    const { db, close } = await openUnmigrated(destination, log);
    try {
      await withEmptyDatabase(db, log, async (client) => {
        mayClear = true;
        if (isLeftover) await clearFolder(dataDir, FILLED);
        say('Restoring');
        await fill(folder, manifest, { db, client, destination, say });
      });
    } finally {
      await close();
    }
  } catch (error) {
    if (mayClear) await clearFolder(dataDir, await entriesOf(dataDir));
    throw error;
  }
  await rm(path.join(dataDir, MARK));
  return manifest;
}

/**
 * Checks that a database is empty or left by an unfinished restore, locks and empties it, and runs `work`. If `work` fails, empties
 * the database again.
 */
async function withEmptyDatabase(
  db: Database,
  log: Logger,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await connectAlone(db, 'stagedoor restore');
  try {
    if (!(await isHalfRestored(db.kysely)) && !(await isEmpty(client))) {
      throw new BackupError('The database is not empty. Use an empty one.');
    }
    const hold = await holdInstallation(db.connectionOptions, 'alone', log);
    try {
      await emptyDatabase(client);
      await client.query(`create table ${UNFINISHED_RESTORE} ()`);
      await work(client).catch(async (error: unknown) => {
        await client.query('rollback');
        await emptyDatabase(client);
        throw error;
      });
    } finally {
      await hold.release();
    }
  } finally {
    await client.end();
  }
}

interface Target {
  readonly db: Database;
  readonly client: pg.Client;
  readonly destination: Destination;
  readonly say: (line: string) => void;
}

/** Restores objects, secrets and rows. Commits the rows last, in one transaction, so that everything they reference exists. */
async function fill(folder: string, manifest: Manifest, target: Target): Promise<void> {
  const { db, client, destination, say } = target;
  const storage = await openStorage(destination);
  try {
    say(filesLine(await restoreObjects(folder, storage, say)));
  } finally {
    storage.close();
  }
  for (const secret of manifest.secrets) {
    const file = path.join(folder, secretFile(secret));
    await writePart(path.join(destination.dataDir, secret.name), () => createReadStream(file));
  }
  await migrate(db.kysely, manifest.migration);
  if (manifest.tables.some(({ schema }) => schema === 'jobs')) await makeJobTables(db);
  await loadDatabase(client, folder, manifest, say);
  await client.query('commit');
  await client.query('analyze');
}

const entriesOf = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

async function clearFolder(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(path.join(folder, name), { recursive: true, force: true });
}
