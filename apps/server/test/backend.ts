import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../src/db/database.ts';
import { type HttpClient, httpClient } from './http-client.ts';

/** A running server and its database, as the factories need them. */
export interface Backend {
  readonly url: string;
  /** The server's database, to set up states that requests can't create, and to check what is stored. */
  readonly db: Database;
  /** Sends requests without a credential. */
  readonly anonymous: HttpClient;
  readonly platform: HttpClient;
  /** Sends requests with an admin's token. */
  staff(token: string): HttpClient;
  /**
   * Inserts a session into the database, for tests that are not about signing in.
   * @param avatarSecret the value of its avatar cookie; a random one by default
   * @returns the token
   */
  insertSession(adminId: string, avatarSecret?: string): Promise<string>;
}

const sha256 = (value: string) => createHash('sha256').update(value).digest();

export function backendOf(server: { url: string; db: Database; platformKey: string }): Backend {
  const { url, db, platformKey } = server;
  return {
    url,
    db,
    anonymous: httpClient(url, null),
    platform: httpClient(url, platformKey),
    staff: (token) => httpClient(url, token),
    async insertSession(adminId, avatarSecret = randomBytes(32).toString('base64url')) {
      const token = randomBytes(32).toString('base64url');
      await db.kysely
        .insertInto('sessions')
        .values({
          admin_id: adminId,
          token_hash: sha256(token),
          cookie_hash: sha256(avatarSecret),
          user_agent: null,
        })
        .execute();
      return token;
    },
  };
}
