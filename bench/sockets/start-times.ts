import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Milliseconds until a server answers, from the start of its process. */
export interface StartTimes {
  /** With nothing there: the embedded database is made, and all its tables. */
  readonly cold: number;
  /** With what the first start made, and an orderly stop. */
  readonly warm: number;
}

export async function measureStarts(): Promise<StartTimes> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-start-'));
  try {
    return { cold: await startOnce(dataDir), warm: await startOnce(dataDir) };
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const { PATH, HOME } = process.env;
  const started = performance.now();
  const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: '0', SAMPLE_DATA: 'off', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    // Its banner comes once it listens.
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('is running')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    return performance.now() - started;
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}
