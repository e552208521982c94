import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mailboxIn } from './sign-in.ts';

const START_PATIENCE_MS = 60_000;
const OWNER = 'owner@example.com';

/** Where the demo takes place. */
export interface Installation {
  readonly url: string;
  readonly key: string;
  readonly owner: string;
  /** The page of its development mailbox. */
  readonly mailbox: string;
  /** The server's process; null where it is somebody else's. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/**
 * A new installation, as `npm start` makes one, that is gone when it is stopped. It believes the demo about the addresses from
 * which fans come, as it would a proxy: each fan has an address of their own, as in life.
 */
export async function startInstallation(): Promise<Installation> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-demo-'));
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
    env: {
      PATH,
      HOME,
      DATA_DIR: dataDir,
      PORT: '0',
      SAMPLE_DATA: 'off',
      OWNER_EMAIL: OWNER,
      CREATOR_NAME: 'Aurora',
      TRUST_PROXY: 'on',
      LOG_LEVEL: 'warn',
    },
    // Ctrl-C is meant for the demo, which stops the server once all has been counted.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const { url, mailbox } = await addressesOf(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('the server has no process');
  const key = (await readFile(path.join(dataDir, 'platform-key'), 'utf8')).trim();
  return {
    url,
    key,
    owner: OWNER,
    mailbox,
    pid,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
      process.off('exit', kill);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** Read from the banner, which comes once the server listens. */
function addressesOf(child: ChildProcess): Promise<{ url: string; mailbox: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    const late = setTimeout(() => reject(new Error(`no banner: ${output}`)), START_PATIENCE_MS);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      const url = /Console\s+(http:\S+)/.exec(output)?.[1];
      const mailbox = mailboxIn(output);
      if (url === undefined || mailbox === null) return;
      clearTimeout(late);
      resolve({ url, mailbox });
    });
  });
}
