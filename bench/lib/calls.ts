import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint, EndpointInput, EndpointReply } from '@stagedoor/contract/endpoint';
import { urlOf } from '@stagedoor/contract/endpoint-url';

/** The default maximum number of attempts while the server answers 429. `Retry-After` sets the wait before each retry. */
const PATIENCE = 10;

/** Calls an endpoint. @throws CallError for every status other than 2xx */
export type Call = <E extends Endpoint>(
  endpoint: E,
  input: Partial<EndpointInput<E>> & { form?: FormData },
) => Promise<EndpointReply<E>>;

export class CallError extends Error {
  override readonly name = 'CallError';
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

interface Caller {
  readonly url: string;
  /** The bearer token, such as a session token; null for none. */
  readonly token: string | null;
  /** The caller's IP address, for a server that trusts `X-Forwarded-For`. */
  readonly from?: string | null;
  /** Milliseconds before an unanswered call fails; the runtime's limit by default. */
  readonly timeoutMs?: number;
  readonly patience?: number;
  /** Called with each response's status, or with the error if there is no response. */
  readonly onOutcome?: (outcome: number | Error) => void;
}

/** Creates a function that calls the API over HTTP. */
export function caller(options: Caller): Call {
  const { url, token, from = null, timeoutMs, patience = PATIENCE, onOutcome } = options;
  return async <E extends Endpoint>(
    endpoint: E,
    input: Partial<EndpointInput<E>> & { form?: FormData },
  ) => {
    const { headers, body, form, ...parts } = input as Parameters<typeof urlOf>[1] & {
      headers?: Record<string, string>;
      body?: unknown;
      form?: FormData;
    };
    const path = urlOf(endpoint.path, parts);
    for (let attempt = 1; ; attempt++) {
      const { response, text } = await answerOf(url + path, {
        method: endpoint.method,
        ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
        headers: {
          ...headers,
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(from !== null && { 'x-forwarded-for': from }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(form && { body: form }),
      }).catch((error: unknown) => {
        onOutcome?.(error as Error);
        throw error;
      });
      onOutcome?.(response.status);
      if (response.ok) return (text === '' ? null : JSON.parse(text)) as EndpointReply<E>;
      if (response.status === 429 && attempt < patience) {
        const seconds = Number(response.headers.get('retry-after') ?? 1);
        await sleep(seconds * 1000);
        continue;
      }
      const what = `${endpoint.method} ${path}: ${response.status} ${text.slice(0, 200)}`;
      throw new CallError(what, response.status);
    }
  };
}

async function answerOf(
  url: string,
  init: RequestInit,
): Promise<{ response: Response; text: string }> {
  const response = await fetch(url, init);
  return { response, text: await response.text() };
}
