import type {
  Assertion,
  NewCredential,
  PasskeyCreation,
  PasskeyRequest,
} from '@stagedoor/contract/team/webauthn';
import { invalidPasskey } from '../../errors.ts';
import type { RelyingParty } from './relying-party.ts';

/** The browser's timeout in milliseconds, equal to the challenge's lifetime. */
const TIMEOUT_MS = 300_000;
/** EdDSA, ES256 and RS256. Every authenticator supports at least one. */
const ALGORITHMS = [-8, -7, -257];

/** The part of a passkey that a ceremony needs: its credential id and transports. */
export interface Credential {
  readonly credential_id: string;
  readonly transports: readonly string[];
}

/** Loads the library lazily: it is a megabyte of code, which only installations with passkeys need. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');
/** Preloads the library while the person uses their authenticator. A failure surfaces when the library is used. */
const loadAhead = () => void library().catch(() => undefined);

const described = ({ credential_id, transports }: Credential) => ({
  id: credential_id,
  type: 'public-key' as const,
  ...(transports.length > 0 && { transports: [...transports] }),
});

/** Returns the options for creating a passkey. @param known the admin's passkeys; authenticators that have one are excluded */
export function creationOptions(
  rp: RelyingParty,
  challenge: string,
  admin: { readonly id: string; readonly email: string },
  known: readonly Credential[],
): PasskeyCreation {
  loadAhead();
  const user = Buffer.from(admin.id.replaceAll('-', ''), 'hex').toString('base64url');
  return {
    rp: { id: rp.rpId, name: 'Stagedoor' },
    user: { id: user, name: admin.email, displayName: admin.email },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  };
}

/** Returns the options for signing with one of these passkeys. */
export function requestOptions(
  rp: RelyingParty,
  challenge: string,
  known: readonly Credential[],
): PasskeyRequest {
  loadAhead();
  return {
    rpId: rp.rpId,
    challenge,
    timeout: TIMEOUT_MS,
    allowCredentials: known.map(described),
    userVerification: 'required',
  };
}

/** Returns the challenge in an authenticator's response; null if it can't be parsed. */
export function challengeIn({ response }: NewCredential | Assertion): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return null;
    const { challenge } = data;
    return typeof challenge === 'string' && /^[\w-]{1,200}$/.test(challenge) ? challenge : null;
  } catch {
    return null;
  }
}

export interface CheckedCredential {
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: number;
  readonly synced: boolean;
}

/**
 * Verifies that a new passkey was created for this relying party and challenge, with user verification.
 * @throws AppError 403 `invalid_passkey`
 */
export async function checkCredential(
  rp: RelyingParty,
  challenge: string,
  given: NewCredential,
): Promise<CheckedCredential> {
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...given,
        response: {
          clientDataJSON: given.response.clientDataJSON,
          attestationObject: await withoutAttestation(given.response.attestationObject),
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) throw new Error('not verified');
    const { credential, credentialDeviceType } = registrationInfo;
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      synced: credentialDeviceType === 'multiDevice',
    };
  } catch {
    throw invalidPasskey();
  }
}

/**
 * Strips the attestation, which isn't requested or checked. Checking it would mean parsing untrusted certificates and fetching
 * revocation lists from the URLs in them.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await helpers();
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', decoded.get('authData')],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare));
}

/**
 * Verifies a passkey's signature over this challenge, made for this relying party with user verification.
 * @returns the authenticator's use counter, to compare with the stored one
 * @throws AppError 403 `invalid_passkey`
 */
export async function checkAssertion(
  rp: RelyingParty,
  challenge: string,
  passkey: { readonly credential_id: string; readonly public_key: Buffer },
  given: Assertion,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...given, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.rpId,
      requireUserVerification: true,
      // The counter is compared in the database, which serializes simultaneous responses.
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: 0,
      },
    });
    if (!verified) throw new Error('not verified');
    return authenticationInfo.newCounter;
  } catch {
    throw invalidPasskey();
  }
}
