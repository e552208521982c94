import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { connectRunning } from '../db/embedded-postgres.ts';
import { type OpenInstallation, openUnmigrated } from '../installation.ts';
import { createLogger } from '../log.ts';
import { openStorageReadOnly } from '../storage/open-storage.ts';
import { BackupError } from './backup-error.ts';
import { CALLED_WRONGLY, reportFailure } from './command.ts';
import { filesLine } from './copy-objects.ts';
import { createBackup } from './create-backup.ts';

const USAGE = `Backs up an installation, whether or not the server is running.

  npm run backup -- <folder>

Creates the folder, or uses an empty one. The backup has the database, all files, and the keys in DATA_DIR: anyone who
has it can read everything and act as the installation. Uses the server's own settings (DATA_DIR, DATABASE_URL,
S3_BUCKET). See docs/backup.md for details.
`;

process.exitCode = await main(process.argv.slice(2)).catch(reportFailure);

/** @returns the exit code: 0 done, 1 not possible or incomplete, 2 wrong usage */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false } },
  });
  const [folder, ...rest] = positionals;
  if (values.help || folder === undefined || rest.length > 0) {
    console.log(USAGE);
    return values.help ? 0 : CALLED_WRONGLY;
  }
  const config = readConfig();
  const { db, close } = await openBeside(config);
  try {
    const storage = await openStorageReadOnly(config);
    const target = path.resolve(folder);
    const source = { db, storage, dataDir: config.dataDir };
    const { objects, tables, secrets } = await createBackup(source, target, (line) =>
      console.error(`  ${line}`),
    ).finally(() => storage.close());
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(
      `${target} holds ${rows.toLocaleString('en')} rows, ${filesLine(objects)} and ${secrets.length} keys. Protect it like the installation itself.`,
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

/** Uses the running server's database if there is one. Otherwise starts the database for the duration of the backup. */
async function openBeside(config: Config): Promise<OpenInstallation> {
  if (config.databaseUrl === null) {
    if (!(await stat(config.dataDir).catch(() => null))) {
      throw new BackupError(`There is no installation in ${config.dataDir}.`);
    }
    const running = await connectRunning(config.dataDir);
    if (running !== null) {
      const db = openDatabase(running, (error) => console.error(error.message));
      return { db, close: () => db.close() };
    }
  }
  return openUnmigrated(config, createLogger('warn'));
}
