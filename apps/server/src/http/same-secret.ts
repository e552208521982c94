import { createHash, timingSafeEqual } from 'node:crypto';

const sha256 = (value: string) => createHash('sha256').update(value).digest();

/** Compares a secret with a caller's value in constant time. */
export const isSameSecret = (shown: string, secret: string): boolean =>
  timingSafeEqual(sha256(shown), sha256(secret));
