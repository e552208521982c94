import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const PROCESS_PLATFORM_KEY = 'platform-key-of-a-process-of-the-tests';

/** The built program in a process of its own, which may not have started yet. */
export interface ServerProcess {
  readonly url: string;
  /** What it has printed. */
  output(): string;
  /** Resolves with its exit code; null: a signal ended it. */
  readonly ended: Promise<number | null>;
  hasEnded(): boolean;
  /** SIGSTOP, and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** Kills it and removes its data. */
  dispose(): Promise<void>;
}

/** Starts the program on a database, with a data directory and a port of its own. */
export async function spawnServer(databaseUrl: string): Promise<ServerProcess> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-process-'));
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    // Nothing of the tests' own environment, which may hold settings of the product.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      SAMPLE_DATA: 'off',
      OWNER_EMAIL: 'owner@staff.example',
      PLATFORM_API_KEY: PROCESS_PLATFORM_KEY,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    ended,
    hasEnded,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async dispose() {
      child.kill('SIGKILL');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
