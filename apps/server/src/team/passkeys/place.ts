import { isIP } from 'node:net';
import { passkeysUnavailable } from '../../errors.ts';

/** Where passkeys work: they belong to a name, and browsers give them out to that name's own pages only. */
export interface Place {
  /** The name, as WebAuthn's RP ID has it. */
  readonly rpId: string;
  readonly origin: string;
}

/** How a caller found us: the request's Host, and where a browser says that its page is. */
export interface CallerAddress {
  readonly host: string;
  readonly origin: string | null;
}

const isLocal = (hostname: string) => hostname === 'localhost' || hostname.endsWith('.localhost');
/** Names of this machine that are addresses: whoever uses one can use `localhost` instead. */
const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/;

/**
 * @param publicUrl the console's address where it is set. Without it only `localhost` will do: a name that a request brings
 * along is anyone's
 * @param host the request's Host
 * @returns null where there is none: an address of numbers is no name, and without TLS browsers know no passkeys
 */
export function placeOf(publicUrl: string | null, host: string): Place | null {
  if (publicUrl !== null) {
    const { protocol, hostname, origin } = new URL(publicUrl);
    if (isLocal(hostname)) return { rpId: hostname, origin };
    const isName = isIP(hostname) === 0 && !hostname.startsWith('[') && hostname.includes('.');
    return protocol === 'https:' && isName ? { rpId: hostname, origin } : null;
  }
  if (!URL.canParse(`http://${host}`)) return null;
  const { hostname, port } = new URL(`http://${host}`);
  if (hostname !== 'localhost' && !LOOPBACK.test(hostname)) return null;
  return { rpId: 'localhost', origin: `http://localhost${port === '' ? '' : `:${port}`}` };
}

/**
 * As {@link placeOf}, for a caller who is about to use a passkey.
 * @throws AppError 409 `passkeys_unavailable`, with what to do about it
 */
export function requirePlace(publicUrl: string | null, { host, origin }: CallerAddress): Place {
  const place = placeOf(publicUrl, host);
  if (place === null) {
    throw passkeysUnavailable(
      'Passkeys only work if the console has an https address with a host name. The person who runs this server can set it as PUBLIC_URL.',
    );
  }
  if (origin !== null && origin !== place.origin) {
    throw passkeysUnavailable(
      `Passkeys don’t work at this address. Open the console at ${place.origin} instead.`,
    );
  }
  return place;
}
