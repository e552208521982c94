import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const PROCESS_PLATFORM_KEY = 'platform-key-of-a-process-of-the-tests';

/** The built program in its own process, which may still be starting. */
export interface ServerProcess {
  readonly url: string;
  /** Returns its output so far. */
  output(): string;
  /** Resolves with its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  hasEnded(): boolean;
  /** `freeze` sends SIGSTOP, `thaw` SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** Kills it and removes its data. */
  dispose(): Promise<void>;
}

/** Starts the built program, or the `main.js` of another build. @param settings its environment variables */
export function spawnProgram(settings: Readonly<Record<string, string>>, main = MAIN) {
  const child = spawn(process.execPath, [main], {
    // Leaves out the tests' environment, which may contain settings of the product.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { child, output: () => output };
}

/** Starts the program on a database, with its own data directory and port. */
export async function spawnServer(databaseUrl: string): Promise<ServerProcess> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-process-'));
  const port = await freePort();
  const { child, output } = spawnProgram({
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SAMPLE_DATA: 'off',
    OWNER_EMAIL: 'owner@staff.example',
    PLATFORM_API_KEY: PROCESS_PLATFORM_KEY,
    LOG_LEVEL: 'warn',
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    url: `http://127.0.0.1:${port}`,
    output,
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
