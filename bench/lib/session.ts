import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

const START_PATIENCE_MS = 30_000;

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
  settings: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<Session> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-'));
  const child = spawn(process.execPath, [...nodeArgs, 'apps/server/dist/main.js'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The next run would mistake the database of a leftover server for its own.
  process.once('exit', () => child.kill('SIGKILL'));
  const address = await addressOf(child);
  const token = await openSession(databaseUrl, email);
  const headers = { authorization: `Bearer ${token}` };
  const { pid } = child;
  if (pid === undefined) throw new Error('the server has no process');
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
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Reads the address from the banner, which appears once the server listens. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const late = setTimeout(() => reject(new Error(`no banner: ${output}`)), START_PATIENCE_MS);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const address = /Console\s+(http:\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
  });
}

async function openSession(databaseUrl: string, email: string): Promise<string> {
  const [token = ''] = await openSessions(databaseUrl, email, 1);
  return token;
}

/** Creates this many sessions of an admin directly, without sign-in emails. Returns the bearer tokens. */
export async function openSessions(
  databaseUrl: string,
  email: string,
  count: number,
): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hash = (value: string) => createHash('sha256').update(value).digest();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into sessions (admin_id, token_hash, cookie_hash)
        select id, token_hash, cookie_hash from admins, unnest($2::bytea[], $3::bytea[]) t (token_hash, cookie_hash)
        where email = $1`,
      [email, tokens.map(hash), tokens.map((token) => hash(`${token} cookie`))],
    );
  } finally {
    await client.end();
  }
  return tokens;
}
