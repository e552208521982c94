import type { Endpoint, EndpointInput, EndpointReply } from '@stagedoor/contract/endpoint';

/** Calls that answered 429 are made again when the server says, so often. */
const PATIENCE = 10;

/** A call of an endpoint. @throws CallError for every status that is no success */
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
  /** A session's token, of staff's or of a fan's; null: none. */
  readonly token: string | null;
  /** The address from which the caller comes, for a server that believes us. */
  readonly from?: string | null;
}

/** Calls of the API as a browser makes them. */
export function caller({ url, token, from = null }: Caller): Call {
  return async <E extends Endpoint>(
    endpoint: E,
    input: Partial<EndpointInput<E>> & { form?: FormData },
  ) => {
    const {
      params = {},
      headers,
      body,
      form,
    } = input as {
      params?: Record<string, string>;
      headers?: Record<string, string>;
      body?: unknown;
      form?: FormData;
    };
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url + path, {
        method: endpoint.method,
        headers: {
          ...headers,
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(from !== null && { 'x-forwarded-for': from }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(form && { body: form }),
      });
      const text = await response.text();
      if (response.ok) return (text === '' ? null : JSON.parse(text)) as EndpointReply<E>;
      if (response.status === 429 && attempt < PATIENCE) {
        const seconds = Number(response.headers.get('retry-after') ?? 1);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        continue;
      }
      const what = `${endpoint.method} ${path}: ${response.status} ${text.slice(0, 200)}`;
      throw new CallError(what, response.status);
    }
  };
}
