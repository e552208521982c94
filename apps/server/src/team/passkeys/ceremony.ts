import type {
  Assertion,
  NewCredential,
  PasskeyCreation,
  PasskeyRequest,
} from '@stagedoor/contract/team/webauthn';
import { invalidPasskey } from '../../errors.ts';
import type { Place } from './place.ts';

/** Milliseconds that browsers give people; the challenge lives as long. */
const TIMEOUT_MS = 300_000;
/** EdDSA, ES256 and RS256: one of them is known to every authenticator. */
const ALGORITHMS = [-8, -7, -257];

/** A passkey as far as it takes part: the name that its authenticator gave it, and how it is reached. */
export interface Credential {
  readonly credential_id: string;
  readonly transports: readonly string[];
}

/** Parsing and checking what authenticators say takes a megabyte of code, which only installations with passkeys load. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');
/** While the person looks for their finger. Failing is for those to tell who need it. */
const loadAhead = () => void library().catch(() => undefined);

const described = ({ credential_id, transports }: Credential) => ({
  id: credential_id,
  type: 'public-key' as const,
  ...(transports.length > 0 && { transports: [...transports] }),
});

/** What makes a new passkey for an admin, on an authenticator that has none of theirs yet. */
export function creationOptions(
  place: Place,
  challenge: string,
  admin: { readonly id: string; readonly email: string },
  known: readonly Credential[],
): PasskeyCreation {
  loadAhead();
  const user = Buffer.from(admin.id.replaceAll('-', ''), 'hex').toString('base64url');
  return {
    rp: { id: place.rpId, name: 'Stagedoor' },
    user: { id: user, name: admin.email, displayName: admin.email },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  };
}

/** What one of these passkeys is to sign. */
export function requestOptions(
  place: Place,
  challenge: string,
  known: readonly Credential[],
): PasskeyRequest {
  loadAhead();
  return {
    rpId: place.rpId,
    challenge,
    timeout: TIMEOUT_MS,
    allowCredentials: known.map(described),
    userVerification: 'required',
  };
}

/** @returns the challenge that an authenticator's answer is about; null for one that can't be read */
export function challengeIn({ response }: NewCredential | Assertion): string | null {
  try {
    const told: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    if (typeof told !== 'object' || told === null || !('challenge' in told)) return null;
    const { challenge } = told;
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
 * Checks a new passkey: made for this place and this challenge, by an authenticator that has checked the person.
 * @throws AppError 403 `invalid_passkey`
 */
export async function checkCredential(
  place: Place,
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
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
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
 * Who made the authenticator is not asked, and what is said about it not looked at: certificates of strangers would have to
 * be parsed, and the lists of revoked ones fetched from where these say.
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
 * Checks a passkey's signature over this challenge, made at this place after the authenticator has checked the person.
 * @returns how often the passkey was used, as its authenticator counts; to be compared with what is known of it
 * @throws AppError 403 `invalid_passkey`
 */
export async function checkAssertion(
  place: Place,
  challenge: string,
  passkey: { readonly credential_id: string; readonly public_key: Buffer },
  given: Assertion,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...given, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      requireUserVerification: true,
      // The counter is compared where it is stored, so that of two answers at once one is the later.
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
