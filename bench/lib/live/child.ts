import { type ChildProcess, fork, spawn } from 'node:child_process';
import path from 'node:path';

/** A running server of `bench/floor`. */
export interface BareServer {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a bare server in a separate process.
 * @param program below `bench/floor`; it prints its port
 */
export async function startBare(
  program: string,
  args: readonly string[],
  { nodeArgs = [], env = {} }: { nodeArgs?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<BareServer> {
  const file = path.resolve('bench/floor', program);
  const child = spawn(process.execPath, [...nodeArgs, file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
  return {
    address: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      await ended(child);
      process.off('exit', kill);
    },
  };
}

/** A process that executes orders, one at a time. */
export interface Worker {
  /** Sends an order and returns its result. @throws Error with the worker's error message */
  order<T>(name: string, details: object): Promise<T>;
  stop(): Promise<void>;
}

/**
 * Forks a worker.
 * @param program below `bench`; it answers each message `[name, details]` with `{ result }` or `{ error }`
 */
export function startWorker(program: string): Worker {
  const child = fork(path.resolve('bench', program), { serialization: 'advanced' });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    order: <T>(name: string, details: object) =>
      new Promise<T>((resolve, reject) => {
        const gone = (code: number | null) => reject(new Error(`${program} ended with ${code}`));
        child.once('exit', gone);
        child.once('message', (answer: { result: T } | { error: string }) => {
          child.off('exit', gone);
          if ('error' in answer) reject(new Error(answer.error));
          else resolve(answer.result);
        });
        child.send([name, details]);
      }),
    async stop() {
      await ended(child);
      process.off('exit', kill);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await gone;
}
