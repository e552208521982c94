import type { Endpoint } from '@stagedoor/contract/endpoint';
import { urlOf } from '@stagedoor/contract/endpoint-url';
import type { ErrorReply } from '@stagedoor/contract/errors';
import { PlatformError } from './platform-error.ts';
import { type RetryPolicy, withRetries } from './retries.ts';

export interface TransportOptions {
  /** The installation's address, for example `https://inbox.example.com`. */
  readonly url: string;
  /** A platform key. It is sent only to that address and never appears in an error. */
  readonly key: string;
  /** A replacement for Node's fetch. */
  readonly fetch?: typeof fetch;
  /** Timeout per attempt in milliseconds, except for uploads. Default: 10,000. */
  readonly timeoutMs?: number;
  /** The maximum number of retries of a call that is safe to retry. Default: 3; 0 for none. */
  readonly retries?: number;
}

export interface CallOptions {
  /** Aborts the call, even between attempts. The call then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

interface Call extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON unless it is a FormData. */
  readonly body?: object;
  readonly repetition: RetryPolicy;
  /** The error code that means, on a retry, that the previous attempt succeeded. */
  readonly doneBy?: PlatformError['code'];
}

/** Calls an endpoint. @returns the reply's body; undefined if it is empty */
export type Transport = (endpoint: Endpoint, call: Call) => Promise<unknown>;

const TIMEOUT_MS = 10_000;
/** Equals the server's time limit for uploads. */
const UPLOAD_TIMEOUT_MS = 60 * 60_000;
const RETRIES = 3;

/** Creates the function that calls the server, with authentication, timeouts, retries and error mapping. */
export function createTransport(options: TransportOptions): Transport {
  const { fetch: send = fetch, timeoutMs = TIMEOUT_MS, retries = RETRIES } = options;
  const base = options.url.replace(/\/+$/, '');

  return async (endpoint, { body, repetition, doneBy, signal, ...parts }) => {
    const url = new URL(base + urlOf(endpoint.path, parts));
    const form = body instanceof FormData;
    const limit = endpoint.upload ? UPLOAD_TIMEOUT_MS : timeoutMs;
    const once = async () => {
      signal?.throwIfAborted();
      const late = AbortSignal.timeout(limit);
      try {
        const response = await send(url, {
          method: endpoint.method,
          headers: {
            authorization: `Bearer ${options.key}`,
            accept: 'application/json',
            ...(body && !form && { 'content-type': 'application/json' }),
          },
          ...(body && { body: form ? body : JSON.stringify(body) }),
          redirect: 'error',
          signal: signal ? AbortSignal.any([signal, late]) : late,
        });
        return { response, text: await response.text() };
      } catch (cause) {
        signal?.throwIfAborted();
        const what = `${endpoint.method} ${url.pathname}`;
        throw late.aborted
          ? new PlatformError(`${what}: no response within ${limit} ms`, { code: 'timeout', cause })
          : new PlatformError(`${what}: ${reasonOf(cause)}`, { code: 'network', cause });
      }
    };
    const attempt = async (number: number) => {
      const { response, text } = await once();
      if (response.ok) return text === '' ? undefined : parsed(response, text);
      const error = errorOf(response, text);
      if (number > 1 && error.code === doneBy) return undefined;
      throw error;
    };
    return withRetries(attempt, { repetition, retries }, signal);
  };
}

function parsed(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected(response, cause);
  }
}

function errorOf(response: Response, text: string): PlatformError {
  let body: Partial<ErrorReply>;
  try {
    body = JSON.parse(text) as Partial<ErrorReply>;
  } catch (cause) {
    return unexpected(response, cause);
  }
  if (typeof body?.code !== 'string') return unexpected(response);
  return new PlatformError(body.error ?? `The server answered ${response.status}`, {
    code: body.code,
    ...(body.fields && { fields: body.fields }),
    ...answerDetails(response),
  });
}

function unexpected(response: Response, cause?: unknown): PlatformError {
  const message = `The server answered ${response.status} with an unexpected body`;
  return new PlatformError(message, {
    code: 'unexpected_reply',
    cause,
    ...answerDetails(response),
  });
}

function answerDetails({ status, headers }: Response) {
  return {
    status,
    retryAfter: secondsOf(headers.get('retry-after')),
    requestId: headers.get('x-request-id') ?? undefined,
  };
}

/** Parses Retry-After, which is a number of seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Returns why a fetch failed. The error's own message is only "fetch failed"; the reason is in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
