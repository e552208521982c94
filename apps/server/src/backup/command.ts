import path from 'node:path';
import { parseArgs } from 'node:util';

/** The exit code for wrong usage. */
const USAGE_ERROR = 2;

/** Runs a command that takes a folder. @param run returns the exit code */
export async function runOnFolder(
  usage: string,
  run: (folder: string) => Promise<number>,
): Promise<void> {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h', default: false } },
    });
    const [folder, ...rest] = positionals;
    if (values.help || folder === undefined || rest.length > 0) {
      console.log(usage);
      process.exitCode = values.help ? 0 : USAGE_ERROR;
    } else {
      process.exitCode = await run(path.resolve(folder));
    }
  } catch (error) {
    process.exitCode = reportFailure(error);
  }
}

/** Prints an error without its stack. @returns the exit code */
function reportFailure(error: unknown): number {
  console.error(error instanceof Error ? error.message : error);
  const isMistake = error instanceof Error && 'code' in error && isParseError(error.code);
  return isMistake ? USAGE_ERROR : 1;
}

const isParseError = (code: unknown) =>
  typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
