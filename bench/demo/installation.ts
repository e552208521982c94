import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mailboxIn } from './sign-in.ts';

const START_PATIENCE_MS = 60_000;
const OWNER = 'owner@example.com';

/** The installation that the demo runs against. */
export interface Installation {
  readonly url: string;
  readonly key: string;
  readonly owner: string;
  /** The URL of its development mailbox. */
  readonly mailbox: string;
  /** The server's process id; null if the demo didn't start the server. */
  readonly pid: number | null;
  stop(): Promise<void>;
}

/**
 * Starts a new installation as `npm start` does. Its data is deleted when it stops. It trusts the demo's `X-Forwarded-For`
 * as it would a proxy's, so that each fan has an IP address of their own.
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
    // Ctrl-C must reach only the demo, which stops the server after the final check.
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

/** Reads the addresses from the banner that the server prints once it listens. */
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
