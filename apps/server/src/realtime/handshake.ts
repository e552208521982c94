import type { IncomingMessage } from 'node:http';
import type { AppError } from '../errors.ts';
import { errorBody, toAppError } from '../http/error-reply.ts';

/** Counts a failed credential of the client behind a handshake. @returns the refusal */
export type FailedHandshake = (request: IncomingMessage) => Promise<AppError>;

/** The part of a socket that a handshake needs. */
interface Handshaking {
  readonly handshake: { readonly auth: Readonly<Record<string, unknown>> };
  readonly request: IncomingMessage;
  readonly conn: { close(): void };
}

/** Returns the actor whose token a socket shows. @throws AppError 401, or 429 after too many failed credentials */
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
 * Refuses a handshake: the client gets `connect_error`, with the wire's error shape as its data. One that asked too often also
 * loses its connection, over which it could send further CONNECT packets.
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
  // The refusal is written in the next tick; closing lets it through first.
  if (known.code === 'rate_limited') setImmediate(() => conn.close());
}
