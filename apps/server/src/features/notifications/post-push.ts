import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, lookupPublic } from './public-address.ts';

/** Milliseconds until a push service that does not answer has failed. */
const TIMEOUT_MS = 10_000;

/** Which addresses may be pushed to. */
export interface PushRules {
  /** Also this machine's own, without TLS: for a push service of tests'. */
  readonly allowLoopback: boolean;
}

export const PUBLIC_ONLY: PushRules = { allowLoopback: false };

/** Whether a browser's push address is one that can be pushed to; where a name leads is seen with each push. */
export function isPushEndpoint(text: string, { allowLoopback }: PushRules): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (allowLoopback && protocol === 'http:' && hostname === '127.0.0.1') return true;
  if (protocol !== 'https:') return false;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? host.includes('.') && !host.endsWith('.') : isPublicAddress(host);
}

export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a push service answered. */
export interface PushAnswer {
  readonly status: number;
  /** Seconds that it asks to wait; null where it does not. */
  readonly retryAfter: number | null;
}

/**
 * Posts a push message. Redirects are not followed, and what is answered is not read.
 * @throws Error where there is no answer, or the address is not public
 */
export function postPush(
  { endpoint, headers, body }: PushRequest,
  rules: PushRules,
  stop: AbortSignal,
): Promise<PushAnswer> {
  if (!isPushEndpoint(endpoint, rules)) throw new Error('the address is not public');
  const isPlain = endpoint.startsWith('http:');
  return new Promise((resolve, reject) => {
    const request = (isPlain ? requestHttp : requestHttps)(
      endpoint,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
        signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(!isPlain && { lookup: lookupPublic }),
      },
      (response) => {
        const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: Number.isFinite(seconds) ? seconds : null,
        });
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
