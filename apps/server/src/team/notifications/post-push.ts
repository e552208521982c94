import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, lookupPublic } from './public-address.ts';

/** The request timeout for push services, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The push services of Chromium, Firefox, Safari and Edge; `*.` stands for one or more labels. */
const BROWSER_SERVICES = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

export interface PushRules {
  /** Allows 127.0.0.1 without TLS, for the push service in tests. */
  readonly allowLoopback: boolean;
  /** Hosts allowed in addition to {@link BROWSER_SERVICES}, in the same form. */
  readonly services?: readonly string[];
}

export const BROWSERS_ONLY: PushRules = { allowLoopback: false };

/** Checks whether a push address belongs to an allowed push service. Its IP addresses are checked on each push. */
export function isPushEndpoint(text: string, { allowLoopback, services = [] }: PushRules): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (allowLoopback && protocol === 'http:' && hostname === '127.0.0.1') return true;
  if (protocol !== 'https:') return false;
  if (![...BROWSER_SERVICES, ...services].some((service) => isServedBy(hostname, service))) {
    return false;
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 || isPublicAddress(host);
}

const isServedBy = (hostname: string, service: string): boolean =>
  service.startsWith('*.') ? hostname.endsWith(service.slice(1)) : hostname === service;

export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The response of a push service. */
export interface PushAnswer {
  readonly status: number;
  /** The seconds in its `Retry-After` header, or null. */
  readonly retryAfter: number | null;
}

/**
 * Posts a push message. Doesn't follow redirects or read the response body.
 * @throws Error if there is no response or the address is not allowed
 */
export function postPush(
  { endpoint, headers, body }: PushRequest,
  rules: PushRules,
  stop: AbortSignal,
): Promise<PushAnswer> {
  if (!isPushEndpoint(endpoint, rules))
    throw new Error('the address does not belong to an allowed push service');
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
