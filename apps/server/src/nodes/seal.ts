import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Decrypts texts that were sealed for one key pair. */
export interface Unsealer {
  readonly publicKey: string;
  /** @throws Error for data that was not sealed for this key, or was altered */
  open(sealed: string): string;
}

/** Creates a key pair that exists only in this process's memory. */
export function createUnsealer(): Unsealer {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return {
    publicKey: encode(publicKey),
    open(sealed) {
      const [theirs = '', box = ''] = sealed.split('.');
      const bytes = Buffer.from(box, 'base64url');
      const key = agree(privateKey, read(theirs), theirs);
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
      return Buffer.concat(text).toString('utf8');
    },
  };
}

/** Encrypts a text for the holder of the private key. */
export function seal(text: string, publicKey: string): string {
  const own = generateKeyPairSync('x25519');
  const ownPublic = encode(own.publicKey);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, agree(own.privateKey, read(publicKey), ownPublic), iv);
  const box = [cipher.update(text, 'utf8'), cipher.final()];
  return `${ownPublic}.${Buffer.concat([iv, cipher.getAuthTag(), ...box]).toString('base64url')}`;
}

const encode = (key: KeyObject) =>
  key.export({ format: 'der', type: 'spki' }).toString('base64url');

const read = (encoded: string) =>
  createPublicKey({ key: Buffer.from(encoded, 'base64url'), format: 'der', type: 'spki' });

function agree(privateKey: KeyObject, publicKey: KeyObject, salt: string): Buffer {
  const secret = diffieHellman({ privateKey, publicKey });
  return Buffer.from(hkdfSync('sha256', secret, salt, 'stagedoor keys', 32));
}
