import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../db/database.ts';
import { MIGRATIONS, newestMigration } from '../db/migrate.ts';
import { keepObjects } from '../db/objects-lock.ts';
import { isHalfRestored } from '../db/unfinished-restore.ts';
import type { ObjectStorage } from '../storage/storage.ts';
import { BackupError, isMissing } from './backup-error.ts';
import { connectAlone } from './catalog.ts';
import { copyObjects, filesLine } from './copy-objects.ts';
import { dumpDatabase } from './dump-database.ts';
import {
  FORMAT,
  type Manifest,
  OBJECT_LIST,
  type SecretPart,
  secretFile,
  writeManifest,
} from './manifest.ts';
import { measureFile, writePart } from './parts.ts';

export interface BackupSource {
  readonly db: Database;
  readonly storage: ObjectStorage;
  /** The directory with the installation's keys. */
  readonly dataDir: string;
}

/**
 * Backs up an installation, running or not, to a folder that is new or empty. A failure leaves the folder empty.
 * @param say called with each progress line
 * @returns the manifest
 * @throws BackupError if there is nothing to back up, or the folder is not empty
 */
export async function createBackup(
  source: BackupSource,
  folder: string,
  say: (line: string) => void,
): Promise<Manifest> {
  const migration = await knownMigration(source.db);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) {
    throw new BackupError(`${folder} is not empty. Choose an empty or a new folder.`);
  }
  try {
    return await write(source, migration, folder, say);
  } catch (error) {
    for (const name of await readdir(folder))
      await rm(path.join(folder, name), { recursive: true });
    throw error;
  }
}

async function knownMigration(db: Database): Promise<string> {
  const migration = await newestMigration(db.kysely);
  if (migration === null) throw new BackupError('There is no installation in this database.');
  if (!MIGRATIONS.includes(migration)) {
    throw new BackupError(
      `The database is from a newer version (${migration}). Use that version to back it up.`,
    );
  }
  if (await isHalfRestored(db.kysely)) {
    throw new BackupError(
      'A restore into this database was not finished, so there is nothing to back up.',
    );
  }
  return migration;
}

async function write(
  { db, storage, dataDir }: BackupSource,
  migration: string,
  folder: string,
  say: (line: string) => void,
): Promise<Manifest> {
  const keysFile = path.join(folder, 'keys-of-objects');
  const client = await connectAlone(db, 'stagedoor backup');
  try {
    // Must come before the snapshot: every object that the snapshot references must exist until it is copied.
    await keepObjects(client);
    const { takenAt, tables, sequences } = await dumpDatabase(client, folder, keysFile, say);
    const objects = await copyObjects(storage, folder, keysFile, say);
    say(filesLine(objects));
    // Fails if the connection broke, in which case the lock on the objects was lost too.
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    );
    await rm(keysFile);
    const manifest: Manifest = {
      format: FORMAT,
      taken_at: takenAt,
      migration,
      postgres: rows[0]?.version ?? '',
      tables,
      sequences,
      objects: { ...objects, list: await measureFile(path.join(folder, OBJECT_LIST)) },
      secrets: await copySecrets(dataDir, folder),
    };
    await writeManifest(folder, manifest);
    return manifest;
  } finally {
    await client.end();
  }
}

/** Copies the generated keys and secrets, which are not in the database. */
async function copySecrets(dataDir: string, folder: string): Promise<SecretPart[]> {
  const keys = await readdir(path.join(dataDir, 'keys')).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const secrets: SecretPart[] = [];
  for (const name of [...keys.map((key) => `keys/${key}`), 'platform-key', 'webhook-secret']) {
    const file = path.join(dataDir, name);
    // A missing file means that the environment sets the secret, or that nothing needs it.
    if (!existsSync(file)) continue;
    const measure = await writePart(path.join(folder, secretFile({ name })), () =>
      createReadStream(file),
    );
    secrets.push({ name, ...measure });
  }
  return secrets;
}
