import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Loopback, private, reserved and unroutable IPv4 networks. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4');
}

/** IPv6: only global unicast counts as public, except networks that map to IPv4 or are reserved for documentation. */
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6');
const NOT_PUBLIC_V6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC_V6.addSubnet(network, bits, 'ipv6');
}

/** Whether an IP address is publicly routable. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !PRIVATE.check(address, 'ipv4');
    case 6:
      return PUBLIC_V6.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Resolves a host and fails if any address is not public. Used as the socket's lookup, so it checks the address connected to. */
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
