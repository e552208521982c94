import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Which proxies are believed, as `TRUST_PROXY` says. */
export type ProxyTrust = boolean | string | number;

/** Returns what decides whether a proxy's address is believed. A number means the nearest that many. */
export function proxyTrust(setting: ProxyTrust): (address: string, hop: number) => boolean {
  if (typeof setting === 'string') {
    return proxyAddr.compile(setting.split(',').map((part) => part.trim()));
  }
  return (_address, hop) => (typeof setting === 'number' ? hop < setting : setting);
}

/** Returns the address of the client behind a request that Fastify doesn't handle, as Fastify finds it for the others. */
export function clientAddress(setting: ProxyTrust): (request: IncomingMessage) => string {
  const trust = proxyTrust(setting);
  return (request) => proxyAddr(request, trust);
}
