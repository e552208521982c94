import { readConfig } from '../config.ts';
import { createLogger } from '../log.ts';
import { runOnFolder } from './command.ts';
import { filesLine } from './copy-objects.ts';
import { restoreBackup } from './restore-backup.ts';

const USAGE = `Restores a backup into an empty installation.

  npm run restore -- <folder of the backup>

Verifies the whole backup first. DATA_DIR must be empty or missing. If DATABASE_URL is set, that database must be empty; if
S3_BUCKET is set, the files are stored there. See docs/backup.md for details.
`;

/** @returns the exit code, always 0: a failure throws */
async function main(folder: string): Promise<number> {
  const config = readConfig();
  const manifest = await restoreBackup(folder, config, createLogger('warn'), (line) =>
    console.error(`  ${line}`),
  );
  console.log(
    `Restored as of ${manifest.taken_at}: ${filesLine(manifest.objects)}, ${manifest.secrets.length} keys. Start the server now. Staff have to sign in again.`,
  );
  return 0;
}

await runOnFolder(USAGE, main);
