import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const PATIENCE_MS = 30_000;
const LOOK_MS = 20;

/** Bytes after garbage collection. */
export interface Memory {
  readonly heap: number;
  readonly rss: number;
}

/** Returns the Node options and environment that load the memory probe into a server. */
export function probed(file: string) {
  const probe = pathToFileURL(path.resolve('bench/sockets/heap-probe.mjs')).href;
  return { nodeArgs: ['--expose-gc', '--import', probe], env: { PROBE_FILE: file } };
}

/**
 * Makes a probed server collect garbage and returns its memory.
 * @param file the probe's output file
 */
export async function memoryAfterGc(pid: number, file: string): Promise<Memory> {
  const before = (await linesOf(file)).length;
  process.kill(pid, 'SIGUSR2');
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const line = (await linesOf(file))[before];
    if (line !== undefined) return JSON.parse(line) as Memory;
    await sleep(LOOK_MS);
  }
  throw new Error('the server does not say what memory it holds');
}

async function linesOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1);
}
