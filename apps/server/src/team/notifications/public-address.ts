import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IPv6 range that is allocated for public use; the rest is reserved. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Checks whether an IP address is publicly routable: neither loopback, private, reserved, nor an IPv4 address in IPv6. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST));
}

/** Resolves a host for sockets. Fails if any address is not public, so that sockets connect only to public addresses. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || first === undefined) {
      callback(error ?? new Error('no address was found'), '', 0);
    } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new Error('the address is not public'), '', 0);
    } else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
