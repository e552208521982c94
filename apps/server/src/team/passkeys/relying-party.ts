import { isIP } from 'node:net';
import { passkeysUnavailable } from '../../errors.ts';

/** The relying party: the site that passkeys are for. Browsers offer a passkey only to pages of its domain. */
export interface RelyingParty {
  /** The domain, which is WebAuthn's RP ID. */
  readonly rpId: string;
  readonly origin: string;
}

/** The caller's addresses: the request's Host, and the Origin header if a browser sent one. */
export interface CallerAddress {
  readonly host: string;
  readonly origin: string | null;
}

const isLocal = (hostname: string) => hostname === 'localhost' || hostname.endsWith('.localhost');
/** Loopback IP addresses. Anyone who uses one can use `localhost` instead. */
const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/;

/**
 * Returns the relying party, or null where passkeys can't work: on an IP address, or without TLS.
 * @param publicUrl the console's address if it is set. Without it, only `localhost` works, because a client can send any
 * Host header
 * @param host the request's Host
 */
export function relyingPartyOf(publicUrl: string | null, host: string): RelyingParty | null {
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
 * Returns the relying party for a caller who is about to use a passkey.
 * @throws AppError 409 `passkeys_unavailable`, with a hint on how to fix it
 */
export function requireRelyingParty(
  publicUrl: string | null,
  { host, origin }: CallerAddress,
): RelyingParty {
  const rp = relyingPartyOf(publicUrl, host);
  if (rp === null) {
    throw passkeysUnavailable(
      'Passkeys only work if the console has an https address with a host name. The person who runs this server can set it as PUBLIC_URL.',
    );
  }
  if (origin !== null && origin !== rp.origin) {
    throw passkeysUnavailable(
      `Passkeys don’t work at this address. Open the console at ${rp.origin} instead.`,
    );
  }
  return rp;
}
