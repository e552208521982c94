import type { Endpoint, EndpointInput, EndpointReply } from '@stagedoor/contract/endpoint';
import { urlOf } from '@stagedoor/contract/endpoint-url';
import type { ErrorCode, ErrorReply } from '@stagedoor/contract/errors';
import { afterPaint } from '../after-paint.ts';
import { language, translated } from '../text/i18n.ts';
import { takeEarly } from './early.ts';
import { endSession, getToken } from './session.ts';

/** A call without a response after this time fails. */
const REQUEST_TIMEOUT_MS = 20_000;
const DOWNLOAD_TIMEOUT_MS = 300_000;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The error code, or null if the response has none. */
  readonly code: ErrorCode | null;
  /** Problems by dotted field path. */
  readonly fields: Readonly<Record<string, string>>;
  /** Seconds after which a rate-limited call can be retried. */
  readonly retryAfter: number | null;
  /** The stored values, if the call was refused because it conflicts with them. */
  readonly current: Readonly<Record<string, unknown>> | null;
  /** The token to continue a sign-in with, if the code was correct but a passkey is needed as well. */
  readonly pending: string | null;

  /** `message` is the server's text, or empty if it sent none. */
  constructor(failure: {
    status: number;
    code?: ErrorCode | null;
    message?: string;
    fields?: Record<string, string>;
    retryAfter?: number | null;
    current?: Record<string, unknown> | null;
    pending?: string | null;
    cause?: unknown;
  }) {
    super(failure.message ?? '', { cause: failure.cause });
    this.status = failure.status;
    this.code = failure.code ?? null;
    this.fields = failure.fields ?? {};
    this.retryAfter = failure.retryAfter ?? null;
    this.current = failure.current ?? null;
    this.pending = failure.pending ?? null;
  }
}

/** Returns the text to show for an error: the server's, or the fallback if it sent none. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback;
}

/** Returns whether the call was rate-limited. Background work then skips its turn silently. */
export function isRateLimited(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

/** Returns whether a retry may succeed: there was no response, a rate limit, or a server error that may pass. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status === 429 || (error.status >= 500 && error.status !== 507))
  );
}

type OptionalParts<T> = {
  [K in keyof T]-?: undefined extends T[K] ? K : object extends T[K] ? K : never;
}[keyof T];

/** The options for a call of the endpoint: the parts that the endpoint declares. Parts without required fields are optional. */
export type CallOptions<E extends Endpoint> = Omit<
  EndpointInput<E>,
  OptionalParts<EndpointInput<E>>
> &
  Partial<Pick<EndpointInput<E>, OptionalParts<EndpointInput<E>>>> & {
    signal?: AbortSignal | undefined;
  };

interface AnyOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string | null | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

type CallArguments<E extends Endpoint> =
  object extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>];

/**
 * Calls an endpoint of the contract with the session's token and returns the response body. Throws {@link ApiError}; an aborted
 * call rejects with the signal's own reason. A 401 also ends the session.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[given]: CallArguments<E>
): Promise<EndpointReply<E>> {
  const options = (given ?? {}) as AnyOptions;
  const token = endpoint.auth === 'admin' ? getToken() : null;
  const response = await send(endpoint, options, token);
  if (response.ok) {
    const reply = await (endpoint.download ? response.text() : readJson(response));
    await afterPaint();
    return reply as EndpointReply<E>;
  }
  const error = await failureOf(response);
  // Only the refused session is ended, because another tab may have signed in since.
  if (error.status === 401 && token !== null && token === getToken()) endSession();
  throw error;
}

async function send(
  endpoint: Endpoint,
  options: AnyOptions,
  token: string | null,
): Promise<Response> {
  // The server also uses this language for emails and push notifications.
  const headers = new Headers({ accept: 'application/json', 'accept-language': language });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value != null) headers.set(name, value);
  }
  const signal = AbortSignal.any([
    ...(options.signal ? [options.signal] : []),
    AbortSignal.timeout(endpoint.download ? DOWNLOAD_TIMEOUT_MS : REQUEST_TIMEOUT_MS),
  ]);
  const init: RequestInit = { method: endpoint.method, headers, signal };
  if (options.body instanceof FormData) {
    init.body = options.body;
  } else if (options.body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(options.body);
  }
  const url = urlOf(endpoint.path, options);
  const early = endpoint.method === 'GET' ? takeEarly(url, token) : null;
  const reply = early && (await early);
  if (reply) return reply;
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError({ status: 0, cause });
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return response.status === 204 ? null : await response.json();
  } catch (cause) {
    throw new ApiError({ status: response.status, cause });
  }
}

async function failureOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return failureFrom(response.status, body, Number.isFinite(seconds) ? seconds : null);
}

/**
 * Creates the error for a failed response.
 * @param body the parsed body; null if it could not be parsed
 */
export function failureFrom(
  status: number,
  body: unknown,
  retryAfter: number | null = null,
): ApiError {
  const reply = body as Partial<ErrorReply> | null;
  return new ApiError({
    status,
    code: reply?.code ?? null,
    message: typeof reply?.error === 'string' ? translated(reply.error) : '',
    fields: Object.fromEntries(
      Object.entries(reply?.fields ?? {}).map(([field, problem]) => [field, translated(problem)]),
    ),
    current: reply?.current ?? null,
    pending: reply?.pending ?? null,
    retryAfter,
  });
}
