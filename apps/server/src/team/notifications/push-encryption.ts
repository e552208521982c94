import {
  createCipheriv,
  createECDH,
  createHash,
  type ECDH,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

/** A browser's keys for push messages: an uncompressed P-256 point and a 16-byte secret. */
export interface PushKeys {
  readonly publicKey: Buffer;
  readonly auth: Buffer;
}

const RECORD_BYTES = 4_096;
/** Marks the last record. */
const LAST = 2;

const hkdf = (salt: Buffer, key: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes));

/**
 * Encrypts a message so that only the subscribed browser can read it (RFC 8291, in one record of RFC 8188).
 * @param own a key pair used only for this message
 */
export function encryptPush(
  plain: Buffer,
  { publicKey, auth }: PushKeys,
  own: ECDH = newPair(),
  salt: Buffer = randomBytes(16),
): Buffer {
  const shared = own.computeSecret(publicKey);
  const sender = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
  const key = hkdf(auth, shared, info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    hkdf(salt, key, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
    hkdf(salt, key, Buffer.from('Content-Encoding: nonce\0'), 12),
  );
  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(RECORD_BYTES, 16);
  header.writeUInt8(sender.length, 20);
  return Buffer.concat([
    header,
    sender,
    cipher.update(plain),
    cipher.update(Buffer.of(LAST)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function newPair(): ECDH {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair;
}

/** Checks whether bytes are a P-256 public key. */
export function isPublicKey(bytes: Buffer): boolean {
  try {
    newPair().computeSecret(bytes);
    return bytes.length === 65;
  } catch {
    return false;
  }
}

/** Returns a push topic. A push service replaces an undelivered message with a newer one of the same topic. */
export const topicOf = (subject: string): string =>
  createHash('sha256').update(subject).digest('base64url').slice(0, 32);
