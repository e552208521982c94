import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, type ErrorReply, errorCatalogue } from '@stagedoor/contract/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isDiskFull, isUnavailable } from '../db/database.ts';
import { AppError, databaseFull, invalidRequest } from '../errors.ts';

/** The Retry-After while the database is unavailable. Seconds. */
const RETRY_SECONDS = 1;

/** Converts any error to the one that the caller sees. Details of other errors than an {@link AppError} stay hidden. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDiskFull(error)) return databaseFull();
  if (isUnavailable(error)) return new AppError('unavailable', { retryAfter: RETRY_SECONDS });
  return new AppError('internal_error');
}

export const errorBody = ({ message, code, details }: AppError): ErrorReply => ({
  error: message,
  code,
  ...details,
});

/** Maps Fastify's error codes to ours. */
const FRAMEWORK_ERRORS: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

/** Sends a request's error as an HTTP reply, and logs it if the server is at fault. */
export function replyWithError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = fromFramework(error) ?? toAppError(error);
  if (known.status >= 500) request.log.error({ err: error }, 'request failed');
  if (known.retryAfter !== undefined) reply.header('retry-after', known.retryAfter);
  // A stream that fails before its first bytes has already set its own content type.
  return reply.status(known.status).type('application/json; charset=utf-8').send(errorBody(known));
}

/**
 * Answers a request that isn't valid HTTP, or whose headers are too long. There is no reply object for it, only its connection,
 * which is closed.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const known = new AppError(
    error.code === 'HPE_HEADER_OVERFLOW' ? 'payload_too_large' : 'invalid_request',
  );
  const body = JSON.stringify(errorBody(known));
  socket.end(
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Replies to a request that matches no endpoint. */
export function notFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message } = errorCatalogue.not_found;
  return reply.status(status).send({ error: message, code: 'not_found' } satisfies ErrorReply);
}

function fromFramework(error: FastifyError | Error): AppError | null {
  if (hasZodFastifySchemaValidationErrors(error)) {
    return invalidRequest(
      Object.fromEntries(
        error.validation.map((issue) => [
          issue.instancePath.slice(1).replaceAll('/', '.'),
          issue.message ?? 'Invalid value',
        ]),
      ),
    );
  }
  if (!('code' in error) || !('statusCode' in error)) return null;
  const code = FRAMEWORK_ERRORS[error.code];
  if (code !== undefined) return new AppError(code);
  // A body that isn't JSON, a path that can't be decoded, and similar.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('invalid_request');
  }
  return null;
}
