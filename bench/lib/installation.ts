import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../apps/server/test/free-port.ts';
import { type Database, openDatabase } from './database.ts';
import { type Mailbox, mailboxAt, mailboxIn } from './sign-in.ts';

/** Time limit for a server to start, including creating or recovering its database. Milliseconds. */
const START_WITHIN = 90_000;
/** Delay before restarting a server that exits during startup, for example because its database is down. Milliseconds. */
const RESTART_MS = 200;
const POLL_MS = 25;
/** How much of a server's output is kept. Characters. */
const OUTPUT_KEPT = 20_000;

export const OWNER = 'owner@example.com';
export const PLATFORM_KEY = 'platform-key-of-the-bench-as-long-as-any';

export interface InstallationOptions {
  /** `embedded` (the default), `debian`, or the URL of a PostgreSQL server on which a database is created. */
  readonly database?: string;
  /** The URL of an existing database to use instead. */
  readonly databaseUrl?: string;
  /** The path of the program; the normal build by default. */
  readonly main?: string;
  /** Additional environment variables, and Node options to put before the program. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  /** An existing data folder to use and keep; by default a new one that is deleted with the installation. */
  readonly dataDir?: string;
  /** Called at the end of disposal, to remove resources created for the installation. */
  readonly release?: () => Promise<void>;
}

/** An installation with its own server process, which can be killed, stopped and restarted. */
export interface Installation {
  /** The server's URL, which stays the same across restarts. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly database: Database;
  /** How often the server was started, failed to start, and exited by itself while it was serving. */
  readonly counts: { starts: number; failedStarts: number; deaths: number };
  /** The current process id; null while the server is down. */
  readonly pid: number | null;
  /** Reads the emails with sign-in codes. */
  readonly mailbox: Mailbox;
  /** Returns the end of the server's output, across restarts. */
  output(): string;
  /** Starts the server and waits until it serves. Does nothing if it is running. */
  start(): Promise<void>;
  /** Kills the server, as in a crash. */
  kill(): Promise<void>;
  /** Sends SIGTERM. @returns the exit code (null if a signal ended the process) and the duration in milliseconds */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** Stops the server and removes its data. */
  dispose(): Promise<void>;
}

/** Starts a new installation and waits until its server serves. */
export async function startInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-')));
  const database = await openDatabase(options, dataDir);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const counts = { starts: 0, failedStarts: 0, deaths: 0 };
  let output = '';
  /** The output since the last start. Contains the mailbox URL, which changes with each start. */
  let banner = '';
  let child: ChildProcess | null = null;
  let starting: Promise<void> | null = null;

  function spawnServer(): ChildProcess {
    const { PATH, HOME } = process.env;
    const main = options.main ?? 'apps/server/dist/main.js';
    const spawned = spawn(process.execPath, [...(options.nodeArgs ?? []), main], {
      // The bench's own environment may contain Stagedoor settings, so it isn't passed on.
      env: {
        PATH,
        HOME,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: dataDir,
        SAMPLE_DATA: 'off',
        OWNER_EMAIL: OWNER,
        CREATOR_NAME: 'Aurora',
        PLATFORM_API_KEY: PLATFORM_KEY,
        LOG_LEVEL: 'warn',
        ...(database.url !== null && { DATABASE_URL: database.url }),
        ...options.env,
      },
      // Ctrl-C must reach only the bench, which stops the server itself.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_KEPT);
      if (child === spawned) banner = (banner + chunk.toString()).slice(0, OUTPUT_KEPT);
    };
    banner = '';
    spawned.stdout?.on('data', keep);
    spawned.stderr?.on('data', keep);
    return spawned;
  }

  function start(): Promise<void> {
    if (child !== null && starting === null) return Promise.resolve();
    starting ??= bringUp().finally(() => {
      starting = null;
    });
    return starting;
  }

  /** Starts the server, and restarts it each time it exits, until it serves. Returns early if it is killed in the meantime. */
  async function bringUp(): Promise<void> {
    const deadline = Date.now() + START_WITHIN;
    while (Date.now() < deadline) {
      const started = spawnServer();
      child = started;
      counts.starts++;
      while (Date.now() < deadline && !hasEnded(started)) {
        if (await isServing(url)) {
          if (child === started) started.once('exit', () => onDeath(started));
          return;
        }
        await sleep(POLL_MS);
      }
      if (child !== started) return;
      counts.failedStarts++;
      await end('SIGKILL');
      await sleep(RESTART_MS);
    }
    throw new Error(`the server did not start:\n${output}`);
  }

  /** Restarts a server that exited by itself, as a service manager would. */
  function onDeath(ended: ChildProcess): void {
    if (child !== ended) return;
    counts.deaths++;
    child = null;
    start().catch(() => undefined);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const running = child;
    child = null;
    if (running === null) return null;
    if (hasEnded(running)) return running.exitCode;
    const exited = once(running, 'exit') as Promise<[number | null]>;
    running.kill(signal);
    const [code] = await exited;
    return code;
  }

  async function endAndRest(signal: NodeJS.Signals): Promise<number | null> {
    const code = await end(signal);
    await starting?.catch(() => undefined);
    return code;
  }

  const killAtExit = () => child?.kill('SIGKILL');
  process.once('exit', killAtExit);
  const installation: Installation = {
    url,
    port,
    dataDir,
    database,
    counts,
    get pid() {
      return child?.pid ?? null;
    },
    async mailbox(email) {
      const page = mailboxIn(banner);
      return page === null ? [] : mailboxAt(page)(email);
    },
    output: () => output,
    start,
    kill: async () => void (await endAndRest('SIGKILL')),
    async stop() {
      const asked = performance.now();
      const code = await endAndRest('SIGTERM');
      return { code, ms: performance.now() - asked };
    },
    async dispose() {
      await endAndRest('SIGTERM');
      process.off('exit', killAtExit);
      await database.dispose();
      if (options.dataDir === undefined) {
        // The embedded database of a killed server takes a moment to stop.
        await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      }
      await options.release?.();
    },
  };
  try {
    await start();
  } catch (error) {
    await installation.dispose();
    throw error;
  }
  return installation;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** Returns whether the server and its database answer. */
export async function isServing(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
