import { existsSync } from 'node:fs';
import { readConfig } from '../config.ts';
import { openBeside, openUnmigrated } from '../installation.ts';
import { openStorageReadOnly } from '../storage/open-storage.ts';
import { BackupError } from './backup-error.ts';
import { runOnFolder } from './command.ts';
import { filesLine } from './copy-objects.ts';
import { createBackup } from './create-backup.ts';

const USAGE = `Backs up an installation, whether or not the server is running.

  npm run backup -- <folder>

Creates the folder, or uses an empty one. The backup has the database, all files, and the keys in DATA_DIR: anyone who
has it can read everything and act as the installation. Uses the server's own settings (DATA_DIR, DATABASE_URL,
S3_BUCKET). See docs/backup.md for details.
`;

/** @returns the exit code: 0 on success, 1 if the backup lacks files */
async function main(folder: string): Promise<number> {
  const config = readConfig();
  if (config.databaseUrl === null && !existsSync(config.dataDir))
    throw new BackupError(`There is no installation in ${config.dataDir}.`);
  const { db, close } = await openBeside(config, openUnmigrated);
  try {
    const storage = await openStorageReadOnly(config);
    const source = { db, storage, dataDir: config.dataDir };
    const { objects, tables, secrets } = await createBackup(source, folder, (line) =>
      console.error(`  ${line}`),
    ).finally(() => storage.close());
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `${folder} holds ${rows.toLocaleString('en')} rows, ${filesLine(objects)} and ${secrets.length} keys. Protect it like the installation itself.`,
    );
    if (objects.missing.length === 0) return 0;
    console.error(
      `${objects.missing.length} files listed in the database are missing from storage: ${objects.missing.slice(0, 5).join(', ')}. Everything else is in the backup.`,
    );
    return 1;
  } finally {
    await close();
  }
}

await runOnFolder(USAGE, main);
