import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../log.ts';
import { CALLED_WRONGLY, reportFailure } from './command.ts';
import { filesLine } from './copy-objects.ts';
import { restoreBackup } from './restore-backup.ts';

const USAGE = `Restores a backup into an empty installation.

  npm run restore -- <folder of the backup>

Verifies the whole backup first. DATA_DIR must be empty or missing. If DATABASE_URL is set, that database must be empty; if
S3_BUCKET is set, the files are stored there. See docs/backup.md for details.
`;

process.exitCode = await main(process.argv.slice(2)).catch(reportFailure);

/** @returns the exit code: 0 done, 1 not possible, 2 wrong usage */
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
  const manifest = await restoreBackup(path.resolve(folder), config, createLogger('warn'), (line) =>
    console.error(`  ${line}`),
  );
  console.log(
    `Restored as of ${manifest.taken_at}: ${filesLine(manifest.objects)}, ${manifest.secrets.length} keys. Start the server now. Staff have to sign in again.`,
  );
  return 0;
}
