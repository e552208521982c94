import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../src/db/database.ts';
import { type HttpClient, httpClient } from './http-client.ts';

/** A running server and its database: all that the factories need. */
export interface Backend {
  readonly url: string;
  /** The server's database, to arrange what no call can and to see what is stored. */
  readonly db: Database;
  /** Calls without a credential. */
  readonly anonymous: HttpClient;
  readonly platform: HttpClient;
  /** Calls with an admin's token. */
  staff(token: string): HttpClient;
  /** A session for tests that are not about signing in, straight into the database. @returns the token */
  insertSession(adminId: string): Promise<string>;
}

export function backendOf(server: { url: string; db: Database; platformKey: string }): Backend {
  const { url, db, platformKey } = server;
  return {
    url,
    db,
    anonymous: httpClient(url, null),
    platform: httpClient(url, platformKey),
    staff: (token) => httpClient(url, token),
    async insertSession(adminId) {
      const token = randomBytes(32).toString('base64url');
      await db.kysely
        .insertInto('sessions')
        .values({
          admin_id: adminId,
          token_hash: createHash('sha256').update(token).digest(),
          cookie_hash: randomBytes(32),
          user_agent: null,
        })
        .execute();
      return token;
    },
  };
}
