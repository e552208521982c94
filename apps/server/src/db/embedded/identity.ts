import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';

/** The user `nobody`. Postgres refuses to run as root, so a new cluster that root creates runs under this uid and gid. */
const UNPRIVILEGED_ID = 65_534;

/**
 * The complete environment of a Postgres program. It inherits nothing from ours: PG* variables are meant for other databases, it
 * needs no secrets, and a locale would translate the messages that we parse.
 */
export const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export const execute = promisify(execFile);

/** How a Postgres program is run: as the current user, as an unprivileged user, or as root that appears to be `nobody`. */
export interface Identity {
  /** Owner of the data directory in the file system; undefined: the current user. */
  owner?: number;
  /** Process credentials of the child. */
  credentials: { uid?: number; gid?: number };
  /** Command to put in front of the program. */
  wrapper: string[];
}

export async function chooseIdentity(clusterDir: string, binaries: Binaries): Promise<Identity> {
  if (process.getuid?.() !== 0) return { credentials: {}, wrapper: [] };

  const dataDir = path.dirname(clusterDir);
  const credentials = await unprivileged(clusterDir);
  const reach = ['-c', 'cd "$1" && exec "$2" --version', 'sh', dataDir, binaries.postgres];
  if (await succeeds('/bin/sh', reach, credentials)) {
    return { owner: credentials.uid, credentials, wrapper: [] };
  }

  // The user `nobody` can't enter a parent directory (typically /root, mode 0700). In a user namespace, the process stays root for
  // the file system and is `nobody` to Postgres.
  const id = String(UNPRIVILEGED_ID);
  const wrapper = ['unshare', '--user', `--map-user=${id}`, `--map-group=${id}`, '--'];
  const [command = '', ...prefix] = wrapper;
  if (await succeeds(command, [...prefix, '/bin/sh', ...reach])) {
    return { owner: 0, credentials: {}, wrapper };
  }
  throw new Error(
    `PostgreSQL can't run as root, and the user nobody (uid ${id}) can't reach ${dataDir} or ${binaries.postgres}. Start as an ordinary user, move both to a directory that this user can read, or set DATABASE_URL.`,
  );
}

/** Returns the user to run Postgres as, instead of root: the existing cluster's owner, or `nobody` if root owns the cluster. */
async function unprivileged(clusterDir: string): Promise<{ uid: number; gid: number }> {
  if (existsSync(clusterDir)) {
    const { uid, gid } = await stat(clusterDir);
    if (uid !== 0) return { uid, gid };
  }
  return { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID };
}

export async function canDieWithParent(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return succeeds('setpriv', ['--pdeathsig', 'INT', '--', 'true']);
}

async function succeeds(
  command: string,
  args: string[],
  credentials: Identity['credentials'] = {},
): Promise<boolean> {
  try {
    await execute(command, args, { ...credentials, env: ENVIRONMENT });
    return true;
  } catch {
    // The error doesn't matter: the caller has an alternative or a separate error message.
    return false;
  }
}
