import { errorBody, toAppError } from '../http/error-reply.ts';

/** How a refused handshake reaches the client: as `connect_error`, with the wire's error shape as its data. */
export function handshakeError(error: unknown): Error {
  const known = toAppError(error);
  return Object.assign(new Error(known.message), { data: errorBody(known) });
}
