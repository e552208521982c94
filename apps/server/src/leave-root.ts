import { lchown, lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.ts';
import { locateBinaries } from './db/embedded/binaries.ts';
import { chownTree } from './db/embedded/cluster.ts';
import { execute } from './db/embedded/identity.ts';
import { isPostgres, readPostmasterLock } from './db/embedded/postmaster.ts';

/** The system account that the server switches to when root starts it. */
const ACCOUNT = 'stagedoor';

/**
 * Switches from root to the account `stagedoor`, which becomes the owner of DATA_DIR.
 * @param programs absolute paths that the server has to read afterwards
 * @returns a warning that says why the server still runs as root and what to do; null if it doesn't run as root
 */
export async function leaveRoot(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'port'>,
  programs: readonly string[],
): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  if (uid === null || gid === null) {
    return `the server is running as root. Create an account for it with 'useradd --system ${ACCOUNT}', then restart it.`;
  }
  if (config.port > 0 && config.port < (await firstFreePort())) {
    return `the server is running as root because only root can listen on port ${config.port}. Use a higher PORT behind a proxy.`;
  }
  const { dataDir, databaseUrl } = config;
  await mkdir(dataDir, { recursive: true });
  const needed = [process.execPath, path.dirname(dataDir), ...programs];
  if (databaseUrl === null) {
    const { postgres, major } = await locateBinaries();
    needed.push(postgres);
    const lock = await readPostmasterLock(path.join(dataDir, `postgres-${major}`));
    if (lock !== null && (await isPostgres(lock.pid))) {
      return `the server is running as root because a database is already running in ${dataDir}. Stop the database, then restart the server.`;
    }
  }
  const closed = await firstClosed(needed, { uid, gid });
  if (closed !== null) {
    return `the server is running as root because the account ${ACCOUNT} can't open ${closed}. Install Stagedoor where every user can read it.`;
  }
  await handOver(dataDir, uid, gid);
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  return null;
}

async function idOf(which: '-u' | '-g'): Promise<number | null> {
  try {
    return Number((await execute('id', [which, ACCOUNT])).stdout);
  } catch {
    // The account doesn't exist.
    return null;
  }
}

/** Returns the lowest port that needs no root privileges. */
async function firstFreePort(): Promise<number> {
  try {
    return Number(await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    // Not on Linux, or on an old version.
    return 1024;
  }
}

/** Returns the first path that a user can't open, or null if they can open all of them. */
async function firstClosed(
  paths: readonly string[],
  user: { uid: number; gid: number },
): Promise<string | null> {
  const look = 'for place; do [ -r "$place" ] && [ -x "$place" ] || { echo "$place"; exit; }; done';
  const { stdout } = await execute('/bin/sh', ['-c', look, 'sh', ...paths], user);
  return stdout.trim() || null;
}

/** Changes the owner of DATA_DIR and its contents. Assumes that a folder in DATA_DIR and its contents have the same owner. */
async function handOver(directory: string, uid: number, gid: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const entry = path.join(directory, name);
    if ((await lstat(entry)).uid !== uid) await chownTree(entry, uid, gid);
  }
  await lchown(directory, uid, gid);
}
