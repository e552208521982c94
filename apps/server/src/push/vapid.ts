import { createECDH, createPrivateKey, hkdfSync, sign } from 'node:crypto';

/** The server's identity for push services (RFC 8292). */
export interface Vapid {
  /** Uncompressed, in base64url, as browsers need it to subscribe. */
  readonly publicKey: string;
  /** Returns the Authorization header for a push to this endpoint. @param now milliseconds */
  authorization(endpoint: string, now: number): string;
}

/** The key pair from the settings; both in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** How long a token is valid. RFC 8292 allows at most a day. Seconds. */
const TOKEN_SECONDS = 12 * 3_600;
const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/**
 * @param key a private key's 32 bytes
 * @param subject the contact for push services: a `mailto:` or `https:` URL
 */
export function createVapid(key: Buffer, subject: string): Vapid {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(key);
  const point = pair.getPublicKey();
  const publicKey = point.toString('base64url');
  const signingKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: key.toString('base64url'),
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return {
    publicKey,
    authorization(endpoint, now) {
      const claims = {
        aud: new URL(endpoint).origin,
        exp: Math.floor(now / 1_000) + TOKEN_SECONDS,
        sub: subject,
      };
      const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
      const signature = sign('sha256', Buffer.from(signed), {
        key: signingKey,
        dsaEncoding: 'ieee-p1363',
      });
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
    },
  };
}

/**
 * Derives a private key from a secret that all nodes share. The key is the same on every node, survives restarts, and is not stored
 * in any database.
 */
export function vapidKeyFrom(secret: Buffer): Buffer {
  const wide = Buffer.from(hkdfSync('sha256', secret, '', 'stagedoor web push', 48));
  const scalar = (BigInt(`0x${wide.toString('hex')}`) % (ORDER - 1n)) + 1n;
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
}

/** Checks whether the two keys are a pair. */
export function isVapidPair({ publicKey, privateKey }: VapidKeys): boolean {
  try {
    const key = Buffer.from(privateKey, 'base64url');
    return key.length === 32 && createVapid(key, 'mailto:nobody@localhost').publicKey === publicKey;
  } catch {
    return false;
  }
}
