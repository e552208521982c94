import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign as signWith,
} from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type {
  Assertion,
  NewCredential,
  PasskeyCreation,
  PasskeyRequest,
} from '@stagedoor/contract/team/webauthn';

interface Key {
  readonly id: string;
  readonly privateKey: KeyObject;
}

/** The circumstances of a ceremony; valid ones by default. */
interface Circumstances {
  /** The page's origin as reported by the browser. */
  readonly origin: string;
  /** The relying party id that the browser checked; by default the one in the options. */
  readonly rpId?: string;
  /** Whether the user verified themselves with a fingerprint, a face or a PIN. */
  readonly userVerified?: boolean;
  /** The signature counter that the authenticator reports; 0 if it doesn't count signatures. */
  readonly counter?: number;
  /** The challenge to sign instead of the one in the options. */
  readonly challenge?: string;
}

/** A software authenticator and its browser: ES256, without attestation. */
export interface Authenticator {
  create(options: PasskeyCreation, how: Circumstances): NewCredential;
  get(options: PasskeyRequest, how: Circumstances): Assertion;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

export function createAuthenticator(): Authenticator {
  const keys: Key[] = [];
  return {
    create({ rp, challenge }, how) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const id = randomBytes(32);
      keys.push({ id: id.toString('base64url'), privateKey });
      const attested = Buffer.concat([Buffer.alloc(16), uint16(id.length), id, cose(publicKey)]);
      const data = authenticatorData(how.rpId ?? rp.id, how, ATTESTED, how.counter ?? 0);
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(Buffer.concat([data, attested]))],
      ]);
      return {
        id: id.toString('base64url'),
        rawId: id.toString('base64url'),
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, how).toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
          transports: ['internal'],
        },
      };
    },

    get({ rpId, challenge, allowCredentials }, how) {
      const wanted = allowCredentials.map(({ id }) => id);
      const key = keys.find(({ id }) => wanted.includes(id)) ?? keys[0];
      if (key === undefined) throw new Error('there is no passkey on this authenticator');
      const data = authenticatorData(how.rpId ?? rpId, how, 0, how.counter ?? 0);
      const client = clientData('webauthn.get', challenge, how);
      const signed = Buffer.concat([data, sha256(client)]);
      return {
        id: key.id,
        rawId: key.id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signWith('sha256', signed, key.privateKey).toString('base64url'),
        },
      };
    },
  };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

function authenticatorData(rpId: string, how: Circumstances, flags: number, counter: number) {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const verified = how.userVerified === false ? 0 : VERIFIED;
  return Buffer.concat([sha256(rpId), Buffer.from([PRESENT | verified | flags]), count]);
}

const clientData = (type: string, challenge: string, how: Circumstances) =>
  Buffer.from(
    JSON.stringify({
      type,
      challenge: how.challenge ?? challenge,
      origin: how.origin,
      crossOrigin: false,
    }),
  );

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** Encodes an elliptic curve public key for COSE, for ES256. */
function cose(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    ),
  );
}
