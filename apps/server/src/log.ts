import { type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type { Logger };

/**
 * Structured logs, a JSON object a line on standard output. Only fields named here or logged by hand get in; what might
 * still carry a credential is cut out.
 */
export function createLogger(level: LogLevel): Logger {
  return pino({
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
              message: error.message,
              ...('code' in error && { code: error.code }),
              ...('constraint' in error && { constraint: error.constraint }),
              stack: error.stack,
            }
          : { message: String(error) },
    },
  });
}
