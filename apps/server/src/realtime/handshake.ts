import type { IncomingMessage } from 'node:http';
import type { AppError } from '../errors.ts';
import { errorBody, toAppError } from '../http/error-reply.ts';

/** Counts a failed credential of the client behind a handshake. @returns the error to throw */
export type FailedHandshake = (request: IncomingMessage) => Promise<AppError>;

/** The part of a socket that a handshake needs. */
interface Handshaking {
  readonly handshake: { readonly auth: Readonly<Record<string, unknown>> };
  readonly request: IncomingMessage;
  readonly conn: { close(): void };
}

/** Returns the actor that a socket's token belongs to. @throws AppError 401, or 429 after too many failed credentials */
export async function actorOf<Actor>(
  { handshake: { auth }, request }: Handshaking,
  authenticate: (token: string) => Promise<Actor | null>,
  failed: FailedHandshake,
): Promise<Actor> {
  const { token } = auth;
  if (typeof token !== 'string' || token === '') throw await failed(request);
  const actor = await authenticate(token);
  if (actor === null) throw await failed(request);
  return actor;
}

/**
 * Rejects a handshake: the client gets `connect_error`, with the usual error shape as its data. After too many attempts, the
 * connection is closed as well, because the client could send more CONNECT packets over it.
 */
export function refuseHandshake(
  { conn }: Handshaking,
  next: (error: Error) => void,
  error: unknown,
): void {
  const known = toAppError(error);
  const { retryAfter: retry_after } = known;
  const data = { ...errorBody(known), ...(retry_after !== undefined && { retry_after }) };
  next(Object.assign(new Error(known.message), { data }));
  // The error is written in the next tick; closing must wait for that.
  if (known.code === 'rate_limited') setImmediate(() => conn.close());
}
