import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../apps/server/test/free-port.ts';
import { type Mailbox, mailboxAt, mailboxIn } from '../demo/sign-in.ts';
import { type FaultDatabase, openFaultDatabase } from './database.ts';

/** Milliseconds within which a started server must serve, its database having been made or recovered. */
const START_WITHIN = 90_000;
/** A server that ends by itself while it starts, as when its database is down, is started again after this. */
const START_AGAIN_MS = 200;
const LOOK_MS = 25;
/** Of what a server printed so much is kept. Characters. */
const OUTPUT_KEPT = 20_000;

export const OWNER = 'owner@example.com';
export const PLATFORM_KEY = 'platform-key-of-the-faults-as-long-as-any';

export interface InstallationOptions {
  /** `embedded`, `debian`, or a PostgreSQL server's URL. */
  readonly database: string;
  /** The program; the built one unless told. */
  readonly main?: string;
  /** Further settings of the server's, and options of Node's before the program. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  /** An existing folder for the data, which is left as it is; unless told a new one that goes with the installation. */
  readonly dataDir?: string;
  /** Called once the installation has gone: takes away what was made for it. */
  readonly release?: () => Promise<void>;
}

/** A server of its own as an installation runs it: a process that can be killed, stopped and started again. */
export interface Installation {
  /** Where the server listens, the same after each start. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly database: FaultDatabase;
  /** How often the server was started, ended by itself instead of serving, and ended by itself when it did. */
  readonly counts: { starts: number; failedStarts: number; deaths: number };
  /** The process now; null between two lives. */
  readonly pid: number | null;
  /** Where codes arrive. */
  readonly mailbox: Mailbox;
  /** The end of what it has printed, over all its lives. */
  output(): string;
  /** Starts it, and waits until it serves. Does nothing where it runs. */
  start(): Promise<void>;
  /** Kills it as a crash does. */
  kill(): Promise<void>;
  /** Asks it to stop. @returns its exit code (null: it had to be killed) and how long it took, in milliseconds */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** Ends it and removes what it kept. */
  dispose(): Promise<void>;
}

/** A new installation whose server runs. */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'stagedoor-faults-')));
  const database = await openFaultDatabase(options.database, dataDir);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const counts = { starts: 0, failedStarts: 0, deaths: 0 };
  let output = '';
  /** What it has printed in this life: the mailbox's page is another one each time. */
  let banner = '';
  let child: ChildProcess | null = null;
  let starting: Promise<void> | null = null;

  function spawnServer(): ChildProcess {
    const { PATH, HOME } = process.env;
    const main = options.main ?? 'apps/server/dist/main.js';
    const spawned = spawn(process.execPath, [...(options.nodeArgs ?? []), main], {
      // None of our own environment, which may hold settings of the product.
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
      // Ctrl-C is meant for us, who end it once all has been counted.
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

  /** Ends early where it is killed meanwhile. */
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
        await sleep(LOOK_MS);
      }
      if (child !== started) return;
      counts.failedStarts++;
      await end('SIGKILL');
      await sleep(START_AGAIN_MS);
    }
    throw new Error(`the server did not start:\n${output}`);
  }

  /** As a service manager would. */
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
        // An embedded database whose server was killed notices a moment later.
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

async function isServing(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
