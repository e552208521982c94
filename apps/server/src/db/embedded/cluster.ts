import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { ENVIRONMENT, execute, type Identity } from './identity.ts';
import { describeFailure, isAlive, PORT, SUPERUSER } from './postmaster.ts';

/** `sockaddr_un.sun_path` holds 108 bytes on Linux (104 on the BSDs), the last of them a NUL. */
const SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** An `initdb` directory older than this is abandoned; a running `initdb` takes a second or two. */
const ABANDONED_AFTER_MS = 10 * 60_000;

export interface Cluster {
  binaries: Binaries;
  runAs: Identity;
  clusterDir: string;
  socketDir: string;
  logFile: string;
  settings: Record<string, string>;
  diesWithParent: boolean;
  log: (message: string) => void;
}

/**
 * Returns the directory for the socket. A socket path is limited to about 107 bytes, so a cluster with a long path gets a separate
 * socket directory with a short path.
 */
export async function prepareSocketDir(clusterDir: string, runAs: Identity): Promise<string> {
  if (fitsSocket(clusterDir)) return clusterDir;
  const name = `stagedoor-${createHash('sha256').update(clusterDir).digest('hex').slice(0, 16)}`;
  const preferred = path.join(tmpdir(), name);
  const socketDir = fitsSocket(preferred) ? preferred : path.join('/tmp', name);
  const owner = runAs.owner ?? process.getuid?.();
  let created = true;
  await mkdir(socketDir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    created = false;
  });
  if (created && runAs.owner !== undefined) await lchown(socketDir, runAs.owner, runAs.owner);
  const found = await lstat(socketDir);
  // The name is predictable and the parent directory is shared, so another user could have created it to intercept connections.
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new Error(
      `${socketDir} is needed for the database's socket but isn't a private directory of uid ${owner}. Remove it, or choose a shorter DATA_DIR.`,
    );
  }
  return socketDir;
}

/** Removes the socket's separate directory, unless another process's Postgres is using it. */
export async function removePrivateSocketDir({ clusterDir, socketDir }: Cluster): Promise<void> {
  if (socketDir === clusterDir) return;
  await rmdir(socketDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'ENOENT') throw error;
  });
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(path.join(directory, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES;
}

/** Makes sure that a complete cluster exists, owned by the user that Postgres will run as. */
export async function ensureCluster(cluster: Cluster): Promise<void> {
  const { clusterDir, runAs } = cluster;
  await removeAbandoned(clusterDir);
  if (!existsSync(path.join(clusterDir, 'PG_VERSION'))) await initialize(cluster);

  const found = await stat(clusterDir);
  if (runAs.owner !== undefined) {
    if (found.uid !== runAs.owner) await chownTree(clusterDir, runAs.owner, runAs.owner);
  } else if (found.uid !== process.getuid?.()) {
    throw new Error(
      `${clusterDir} belongs to uid ${found.uid}. Start as that user (or as root), or choose another DATA_DIR.`,
    );
  }
  // A copy or a restored backup is often readable by the group, which Postgres refuses.
  if ((found.mode & 0o077) !== 0) await chmod(clusterDir, 0o700);
}

/**
 * Returns settings that let only root connect if Postgres runs as a user that other programs may share. The socket's mode keeps
 * all other users out, and these settings keep out programs of that same user. If Postgres runs as our own user, the mode is
 * enough and no settings are returned.
 */
export async function connectionRules({
  clusterDir,
  runAs,
}: Pick<Cluster, 'clusterDir' | 'runAs'>): Promise<Record<string, string>> {
  if (runAs.credentials.uid === undefined) return {};
  const files = {
    hba_file: 'local all all peer map=stagedoor\n',
    ident_file: `stagedoor ${userInfo().username} ${SUPERUSER}\n`,
  };
  const settings: Record<string, string> = {};
  for (const [setting, content] of Object.entries(files)) {
    const file = path.join(clusterDir, `stagedoor_${setting}`);
    await rm(file, { force: true });
    // Readable by Postgres. The `wx` flag refuses a link that another program of the same user may have placed there.
    await writeFile(file, content, { flag: 'wx', mode: 0o644 });
    settings[setting] = file;
  }
  return settings;
}

/** Initializes the cluster in a temporary directory and renames it, so that a killed `initdb` leaves no incomplete cluster. */
async function initialize({ binaries, clusterDir, runAs, log }: Cluster): Promise<void> {
  log(`Creating the embedded database in ${clusterDir}`);
  const started = performance.now();
  const draft = `${clusterDir}.new-${process.pid}`;
  const common = ['-D', draft, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  // Collation C sorts the same everywhere; the character type decides which non-ASCII characters lower() and pg_trgm treat as
  // letters. Not every platform has these names, so the last attempt uses none.
  const attempts = [['--lc-ctype=C.UTF-8'], ['--lc-ctype=en_US.UTF-8'], []];
  const failures: string[] = [];
  for (const extra of attempts) {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    if (runAs.owner !== undefined) await lchown(draft, runAs.owner, runAs.owner);
    const [command = '', ...args] = [...runAs.wrapper, binaries.initdb, ...common, ...extra];
    try {
      await execute(command, args, { ...runAs.credentials, cwd: draft, env: ENVIRONMENT });
    } catch (error) {
      failures.push(describeFailure(error));
      continue;
    }
    await rename(draft, clusterDir).catch(async (error: NodeJS.ErrnoException) => {
      // Another process created the cluster first; use that one.
      if (!existsSync(path.join(clusterDir, 'PG_VERSION'))) throw error;
      await rm(draft, { recursive: true, force: true });
    });
    await syncDirectory(path.dirname(clusterDir));
    log(`Created the embedded database in ${Math.round(performance.now() - started)} ms`);
    return;
  }
  await rm(draft, { recursive: true, force: true });
  throw new Error(`The embedded database could not be created: ${failures.at(-1)}`);
}

async function removeAbandoned(clusterDir: string): Promise<void> {
  const prefix = `${path.basename(clusterDir)}.new-`;
  for (const name of await readdir(path.dirname(clusterDir))) {
    if (!name.startsWith(prefix)) continue;
    const draft = path.join(path.dirname(clusterDir), name);
    const owner = Number(name.slice(prefix.length));
    const ageMs = Date.now() - (await stat(draft)).mtimeMs;
    const abandoned = owner === process.pid || !isAlive(owner) || ageMs > ABANDONED_AFTER_MS;
    if (abandoned) await rm(draft, { recursive: true, force: true });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Changes the owner of a file, or of a directory and everything in it. Follows no links. */
export async function chownTree(root: string, uid: number, gid: number): Promise<void> {
  await lchown(root, uid, gid);
  if (!(await lstat(root)).isDirectory()) return;
  for (const name of await readdir(root)) await chownTree(path.join(root, name), uid, gid);
}
