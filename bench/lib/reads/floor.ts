import { spawn } from 'node:child_process';
import path from 'node:path';

export interface Floor {
  /** The address of the bare server. */
  readonly address: string;
  stop(): void;
}

/** Starts the bare server to compare with, on one of our databases. */
export async function startFloor(databaseUrl: string): Promise<Floor> {
  const child = spawn(
    process.execPath,
    [path.resolve('bench/floor/read-server.mjs'), databaseUrl],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
  return { address: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
