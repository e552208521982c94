import { createHash, randomBytes } from 'node:crypto';
import { type InstallationOptions, startInstallation } from './installation.ts';
import { query } from './query.ts';

/** A process of the built server, with a signed-in admin for calls to it. */
export interface Session {
  /** The server's address, for example `http://127.0.0.1:40001`. */
  readonly address: string;
  /** The admin's bearer token. */
  readonly token: string;
  /** The process id of the server. */
  readonly pid: number;
  /**
   * Sends a GET request and returns the reply, parsed if it is JSON.
   * @throws Error for any status but 200
   */
  get(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Starts the built server on a database and signs in the admin with this email address.
 * @param settings further settings of the server
 * @param nodeArgs options for Node, before the program
 */
export async function startSession(
  databaseUrl: string,
  email: string,
  settings: InstallationOptions['env'] = {},
  nodeArgs: readonly string[] = [],
): Promise<Session> {
  const server = await startInstallation({ databaseUrl, env: settings, nodeArgs });
  const [token = ''] = await openSessions(databaseUrl, email, 1);
  const headers = { authorization: `Bearer ${token}` };
  const { url: address, pid } = server;
  if (pid === null) throw new Error('the server has no process');
  return {
    address,
    token,
    pid,
    async get(path) {
      const response = await fetch(`${address}${path}`, { headers });
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const body: unknown = isJson ? await response.json() : await response.text();
      if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`);
      return body;
    },
    stop: server.dispose,
  };
}

/** Creates `count` sessions of an admin directly in the database, without sign-in emails. Returns the bearer tokens. */
export async function openSessions(
  databaseUrl: string,
  email: string,
  count: number,
): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hash = (value: string) => createHash('sha256').update(value).digest();
  await query(
    databaseUrl,
    `insert into sessions (admin_id, token_hash, cookie_hash)
      select id, token_hash, cookie_hash from admins, unnest($2::bytea[], $3::bytea[]) t (token_hash, cookie_hash)
      where email = $1`,
    [email, tokens.map(hash), tokens.map((token) => hash(`${token} cookie`))],
  );
  return tokens;
}
