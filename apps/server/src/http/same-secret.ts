import { createHash, timingSafeEqual } from 'node:crypto';

const sha256 = (value: string) => createHash('sha256').update(value).digest();

/** Compares a secret with what a caller shows, in the same time whatever they show. */
export const isSameSecret = (shown: string, secret: string): boolean =>
  timingSafeEqual(sha256(shown), sha256(secret));
