import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Which proxies are trusted: the value of `TRUST_PROXY`. */
export type ProxyTrust = boolean | string | number;

/** Returns a function that decides whether a proxy's address is trusted. A number is how many of the nearest proxies to trust. */
export function proxyTrust(setting: ProxyTrust): (address: string, hop: number) => boolean {
  if (typeof setting === 'string') {
    return proxyAddr.compile(setting.split(',').map((part) => part.trim()));
  }
  return (_address, hop) => (typeof setting === 'number' ? hop < setting : setting);
}

/** Returns a function that finds a request's client address by Fastify's rules, for requests that Fastify doesn't handle. */
export function clientAddress(setting: ProxyTrust): (request: IncomingMessage) => string {
  const trust = proxyTrust(setting);
  return (request) => proxyAddr(request, trust);
}
