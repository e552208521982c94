import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type { Logger };

/**
 * Creates a logger that writes one JSON object per line. Only fields that code logs explicitly are written; credentials and
 * personal data are redacted from them.
 * @param destination defaults to standard output
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        '*.token',
        '*.code_hash',
        '*.authorization',
        '*.cookie',
        'req.headers',
        'err.parameters',
      ],
      remove: true,
    },
    serializers: {
      // A database error's detail contains the row, with its values.
      err: (error: unknown) =>
        error instanceof Error
          ? {
              type: error.name,
              message: withoutPeople(error.message),
              ...('code' in error && { code: error.code }),
              ...('constraint' in error && { constraint: error.constraint }),
              stack: withoutPeople(error.stack ?? ''),
            }
          : { message: withoutPeople(String(error)) },
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Removes personal data from an error's text: mail servers repeat addresses, and the database quotes the invalid value after a
 * colon.
 */
const withoutPeople = (text: string): string =>
  text
    .replaceAll(/[^\s<>"'(:@/]+@[^\s<>"'):@/]+/g, '<address>')
    .replaceAll(/: "[^\n]*"/g, ': <value>')
    .replaceAll(/\b[\w-]{40,}(?![\w/.-])/g, '<token>');
