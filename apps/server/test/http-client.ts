import type { Endpoint, EndpointInput, EndpointReply } from '@stagedoor/contract/endpoint';
import { type ErrorCode, ErrorReply } from '@stagedoor/contract/errors';
import * as z from 'zod/mini';

/** An unparsed reply, for checks that the contract doesn't cover. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Success<E extends Endpoint> extends RawReply {
  readonly body: EndpointReply<E>;
}

export interface Refusal extends RawReply {
  readonly code: ErrorCode;
  readonly error: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A type whose parts are all optional. */
type Nothing = Record<never, never>;
type Relaxed<I> = { [P in keyof I as Nothing extends I[P] ? P : never]?: I[P] } & {
  [P in keyof I as Nothing extends I[P] ? never : P]: I[P];
};
/** The parts of a request that its endpoint declares; those without required fields are optional. */
type Input<E extends Endpoint> =
  Nothing extends Relaxed<EndpointInput<E>>
    ? [input?: Relaxed<EndpointInput<E>>]
    : [input: Relaxed<EndpointInput<E>>];

/** A request that may violate the contract. */
interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Sends requests to the API with one credential. Every reply is checked against the contract. */
export interface HttpClient {
  /** Sends a request that must succeed. */
  call<E extends Endpoint>(endpoint: E, ...input: Input<E>): Promise<Success<E>>;
  /** Sends an upload that must succeed. */
  upload<E extends Endpoint & { readonly upload: true }>(
    endpoint: E,
    form: FormData,
    params?: Readonly<Record<string, string>>,
  ): Promise<Success<E>>;
  /** Sends a request that must be refused, with a body of the error shape. It may violate the contract. */
  refused(endpoint: Endpoint, input?: AnyInput): Promise<Refusal>;
  /** Returns the unparsed reply. A text or a form is sent unchanged, any other body as JSON. */
  raw(method: string, path: string, options?: Omit<AnyInput, 'params'>): Promise<RawReply>;
}

/** @param credential the bearer token or key; null: none */
export function httpClient(baseUrl: string, credential: string | null): HttpClient {
  async function raw(
    method: string,
    path: string,
    options: Omit<AnyInput, 'params'> = {},
  ): Promise<RawReply> {
    const url = new URL(path, baseUrl);
    for (const [name, value] of defined(options.query)) url.searchParams.set(name, value);
    const form = options.body instanceof FormData ? options.body : null;
    const body =
      form ?? (typeof options.body === 'string' ? options.body : JSON.stringify(options.body));
    const response = await fetch(url, {
      method,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && form === null && { 'content-type': 'application/json' }),
        ...Object.fromEntries(defined(options.headers)),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  const send = (endpoint: Endpoint, { params = {}, ...rest }: AnyInput) =>
    raw(endpoint.method, pathOf(endpoint, params), rest);

  async function succeed<E extends Endpoint>(endpoint: E, input: AnyInput): Promise<Success<E>> {
    const reply = await send(endpoint, input);
    const schema = endpoint.replies[reply.status];
    if (schema === undefined) {
      throw new Error(`${endpoint.method} ${endpoint.path} replied ${reply.status} ${reply.text}`);
    }
    const body: unknown =
      schema === null ? null : endpoint.download ? reply.text : JSON.parse(reply.text);
    if (schema !== null) z.parse(schema, body);
    return { ...reply, body: body as EndpointReply<E> };
  }

  return {
    raw,
    call: (endpoint, ...[input]) => succeed(endpoint, (input ?? {}) as AnyInput),
    upload: (endpoint, form, params = {}) => succeed(endpoint, { params, body: form }),
    async refused(endpoint, input = {}) {
      const reply = await send(endpoint, input);
      if (reply.status < 400) {
        throw new Error(
          `${endpoint.method} ${endpoint.path} was not refused: ${reply.status} ${reply.text}`,
        );
      }
      const { code, error, fields = {} } = ErrorReply.parse(JSON.parse(reply.text));
      return { ...reply, code, error, fields };
    },
  };
}

export function pathOf(endpoint: Endpoint, params: Readonly<Record<string, string>>): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${endpoint.path} needs ${name}`);
    return encodeURIComponent(value);
  });
}

function defined(values: Readonly<Record<string, unknown>> = {}): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, `${value as string | number | boolean}`] satisfies [string, string]],
  );
}
