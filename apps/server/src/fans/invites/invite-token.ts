import { createHash, createHmac } from 'node:crypto';

/** Makes the token of an invitation's link, the same again for the same version. */
export type InviteTokens = (inviteId: string, version: number) => string;

/**
 * 256 bits that nobody can guess without the key. They are derived anew by whoever sends the mail, so that neither the
 * invitation nor the waiting job has to hold them.
 * @param key kept outside the database: a dump of that opens no invitation
 */
export const inviteTokens =
  (key: Buffer): InviteTokens =>
  (inviteId, version) =>
    createHmac('sha256', key).update(`invite\n${inviteId}\n${version}`).digest('base64url');

/** How a token is kept and looked up. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
