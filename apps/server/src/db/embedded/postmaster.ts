import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { execute } from './identity.ts';

/** How a client reaches the embedded database: through a Unix socket's directory, without a password. */
export interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

export const SUPERUSER = 'app';
const DATABASE = 'stagedoor';
export const PORT = 5432;

export function connectionTo(socketDir: string): EmbeddedConnection {
  return { host: socketDir, port: PORT, user: SUPERUSER, database: DATABASE };
}

interface PostmasterLock {
  pid: number;
  socketDir: string | null;
}

/** Reads `postmaster.pid`: line 1 is the process id, line 5 the socket's directory (once known). */
export async function readPostmasterLock(clusterDir: string): Promise<PostmasterLock | null> {
  let text: string;
  try {
    text = await readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return { pid: Number.isNaN(pid) ? 0 : Math.abs(pid), socketDir: lines[4] || null };
}

export async function removeStaleLocks(clusterDir: string, socketDir: string): Promise<void> {
  const socket = path.join(socketDir, `.s.PGSQL.${PORT}`);
  for (const file of [path.join(clusterDir, 'postmaster.pid'), socket, `${socket}.lock`]) {
    await rm(file, { force: true });
  }
}

export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Checks whether a process runs Postgres. A zombie (a dead process that isn't reaped yet) doesn't count. */
export async function isPostgres(pid: number): Promise<boolean> {
  let state: string;
  let name: string;
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      name = /^Name:\s*(.*)$/m.exec(status)?.[1] ?? '';
      state = /^State:\s*(\S)/m.exec(status)?.[1] ?? '';
    } else {
      const { stdout } = await execute('ps', ['-o', 'stat=,comm=', '-p', String(pid)]);
      [state = '', name = ''] = stdout.trim().split(/\s+(.*)/s);
    }
  } catch {
    // The process has exited in the meantime, or can't be inspected: trust the lock file, as Postgres itself does.
    return isAlive(pid);
  }
  // While it starts, the process still has the name of the wrapper command.
  return !state.startsWith('Z') && /postgres|setpriv|unshare/.test(name);
}

/** Checks whether a server answers on a socket: `busy` means it is starting or shutting down. */
export async function probe(socketDir: string): Promise<'ready' | 'busy' | 'absent'> {
  if (!existsSync(path.join(socketDir, `.s.PGSQL.${PORT}`))) return 'absent';
  try {
    await withClient({ ...connectionTo(socketDir), database: 'postgres' }, (client) =>
      client.query('SELECT 1'),
    );
    return 'ready';
  } catch (error) {
    const { code } = error as { code?: string };
    // 57P03 is cannot_connect_now. 53300, too_many_connections, means that the server is up.
    if (code === '57P03') return 'busy';
    if (code === '53300') return 'ready';
    return 'absent';
  }
}

export async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  await withClient({ ...connection, database: 'postgres' }, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount) return;
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: { code?: string }) => {
      // Another process created it between the two statements.
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    });
  });
}

export async function withClient<T>(
  connection: EmbeddedConnection,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  // If the server dies between two queries, the client also emits an error event.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Returns the part of a failed program's output that explains the failure. */
export function describeFailure(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return stderr?.trim() || message || String(error);
}
