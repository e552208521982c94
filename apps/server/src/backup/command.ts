import { ConfigError } from '../config.ts';

/** The exit code for wrong usage. */
export const CALLED_WRONGLY = 2;

/** Prints an error: one line if the cause is known. @returns the exit code */
export function reportFailure(error: unknown): number {
  if (error instanceof ConfigError) {
    for (const mistake of error.mistakes) console.error(`Setting ${mistake}`);
    return 1;
  }
  console.error(error instanceof Error ? error.message : error);
  const isMistake = error instanceof Error && 'code' in error && isParseError(error.code);
  return isMistake ? CALLED_WRONGLY : 1;
}

const isParseError = (code: unknown) =>
  typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
