import type { Endpoint, EndpointInput, EndpointReply } from '@stagedoor/contract/endpoint';
import { urlOf } from '@stagedoor/contract/endpoint-url';
import type { ErrorCode, ErrorReply } from '@stagedoor/contract/errors';
import { translated } from './i18n.ts';
import { getToken, sessionRefused } from './session.ts';

/** How long a call waits for a response before it fails. Milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;

/** A call that failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode | null;
  /** Seconds after which a rate-limited call can be retried. */
  readonly retryAfter: number | null;

  /** @param body the parsed response body; null if it could not be parsed */
  constructor(status: number, body: unknown = null, retryAfter: number | null = null) {
    const reply = body as Partial<ErrorReply> | null;
    super(typeof reply?.error === 'string' ? translated(reply.error) : '');
    this.status = status;
    this.code = reply?.code ?? null;
    this.retryAfter = retryAfter;
  }
}

/** Checks whether a retry may succeed: there was no response, or the server was busy or down. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status === 429 || (error.status >= 500 && error.status !== 507))
  );
}

/** Returns the text to show for an error: the server's, or the fallback if it sent none. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback;
}

type Parts<E extends Endpoint> = Partial<EndpointInput<E>>;

/**
 * Calls an endpoint of the contract, with the session's token if it needs one, and returns the response body. Throws {@link
 * ApiError}; a 401 also ends the session.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  parts: Parts<E> = {},
  heldToken: string | null = getToken(),
): Promise<EndpointReply<E>> {
  const { body, ...target } = parts as Parameters<typeof urlOf>[1] & { body?: unknown };
  const token = endpoint.auth === 'fan' ? heldToken : null;
  const headers = new Headers({ accept: 'application/json' });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  const init: RequestInit = {
    method: endpoint.method,
    headers,
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
  if (body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(urlOf(endpoint.path, target), init);
  } catch {
    throw new ApiError(0);
  }
  if (response.ok) return (await bodyOf(response)) as EndpointReply<E>;
  const reply: unknown = await response.json().catch(() => null);
  if (response.status === 401 && token !== null) sessionRefused(token);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ApiError(response.status, reply, Number.isFinite(seconds) ? seconds : null);
}

/** Returns the parsed body. @throws ApiError with status 0, which allows a retry, if the response breaks off or isn't JSON */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  } catch {
    throw new ApiError(0);
  }
}
