import { Agent, request } from 'node:http';
import type { Endpoint } from '@stagedoor/contract/endpoint';
import { writeMultipart } from './multipart.ts';
import type { Actor, FuzzRequest } from './requests.ts';

/** How long any reply may take by default, on a busy machine. Milliseconds. */
const PATIENCE_MS = 60_000;

/** The server under test, and the credentials for it. */
export interface Target {
  readonly url: string;
  /** How long any reply may take. Milliseconds. */
  readonly patience?: number | undefined;
  /** Returns the id for a reference, and other texts unchanged. */
  resolve(text: string): string;
  /** Returns the headers that authenticate an actor. */
  credentials(actor: Actor, endpoint: Endpoint): Readonly<Record<string, string>>;
  /** Texts that no reply may contain, and those that only staff may see. */
  secrets(): { readonly always: readonly string[]; readonly toOthers: readonly string[] };
}

export interface FuzzReply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface Wire {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** Returns a request as sent. */
export function wireOf(target: Target, endpoint: Endpoint, request: FuzzRequest): Wire {
  const { params, query, body } = request;
  const encode = (text: string) => encodeURIComponent(Buffer.from(target.resolve(text)).toString());
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encode(params[name] ?? '').slice(0, 4_000),
  );
  const asked = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const bytes = bytesOf(target, request);
  const type =
    body.kind === 'multipart'
      ? `multipart/form-data; boundary=${body.boundary}`
      : 'application/json';
  const headers = {
    'x-forwarded-for': nextAddress(),
    ...(bytes !== null && { 'content-type': type }),
    ...target.credentials(request.actor, endpoint),
    ...request.headers,
    ...(bytes !== null && { 'content-length': String(bytes.length) }),
  };
  return {
    path: `${path}${request.pathTail}${asked || request.queryTail ? '?' : ''}${asked}${request.queryTail}`,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => /^[\w-]+$/.test(name))
        .map(([name, value]) => [name, sendable(target.resolve(value))]),
    ),
    body: bytes,
  };
}

function bytesOf(target: Target, { body }: FuzzRequest): Buffer | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'raw':
      return Buffer.from(body.base64, 'base64');
    case 'multipart':
      return writeMultipart(body, target.resolve);
    case 'json': {
      const text = JSON.stringify(body.value, (_name, value: unknown) =>
        typeof value === 'string' ? target.resolve(value) : value,
      ) as string | undefined;
      return Buffer.from(text ?? '');
    }
  }
}

let calls = 0;
/** Returns a new client address, because limits per address would soon refuse all requests. */
export const nextAddress = () => `10.${++calls % 250}.${(calls >> 8) % 250}.${(calls >> 16) % 250}`;

/** Replaces the characters that Node's client refuses in a header. */
const sendable = (value: string) => value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?');

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request. @throws Error if no reply arrives in time */
export function send(target: Target, method: string, wire: Wire): Promise<FuzzReply> {
  const { url, patience: timeout = PATIENCE_MS } = target;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method, path: wire.path, headers: wire.headers, timeout },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          });
          // The reply came before the whole body was sent; the rest is not needed.
          if (!sent.writableFinished) sent.destroy();
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${timeout} ms`)));
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection just as it was reused.
      if (sent.reusedSocket && error.code === 'ECONNRESET') {
        resolve(
          send(target, method, { ...wire, headers: { ...wire.headers, connection: 'close' } }),
        );
      } else reject(error);
    });
    sent.end(wire.body ?? undefined);
  });
}
