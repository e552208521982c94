import { createHash, createHmac } from 'node:crypto';

/** Returns the token of an invitation's link; always the same for the same version. */
export type InviteTokens = (inviteId: string, version: number) => string;

/**
 * Derives 256-bit tokens from the key. The delivery job derives the token again, so neither the invitation nor the job has to
 * store it.
 * @param key kept outside the database, so that a dump gives no access to invitations
 */
export const inviteTokens =
  (key: Buffer): InviteTokens =>
  (inviteId, version) =>
    createHmac('sha256', key).update(`invite\n${inviteId}\n${version}`).digest('base64url');

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
