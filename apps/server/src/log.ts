import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type { Logger };

/**
 * Structured logs, a JSON object a line. Only fields named here or logged by hand get in; what might still carry a credential
 * or tell of a person is cut out.
 * @param destination standard output unless told
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
      // A database error carries the row in its detail, and the values with it.
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
 * An error's text without what others put into it: mail servers repeat addresses, and the database the value that it could
 * not read, behind a colon.
 */
const withoutPeople = (text: string): string =>
  text
    .replaceAll(/[^\s<>"'(:@/]+@[^\s<>"'):@/]+/g, '<address>')
    .replaceAll(/: "[^\n]*"/g, ': <value>')
    .replaceAll(/\b[\w-]{40,}(?![\w/.-])/g, '<token>');
