import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Milliseconds from starting the process until the server answers. */
export interface StartTimes {
  /** With an empty folder: the server creates the embedded database and all tables. */
  readonly cold: number;
  /** With the folder of the first start, after a clean stop. */
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
    // The banner appears once the server listens.
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
