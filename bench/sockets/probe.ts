import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const PATIENCE_MS = 30_000;
const LOOK_MS = 20;

/** Bytes, after garbage was collected. */
export interface Memory {
  readonly heap: number;
  readonly rss: number;
}

/** How a server is started whose memory can be asked for. */
export function probed(file: string) {
  const probe = pathToFileURL(path.resolve('bench/sockets/heap-probe.mjs')).href;
  return { nodeArgs: ['--expose-gc', '--import', probe], env: { PROBE_FILE: file } };
}

/** Has a probed server collect its garbage. @param file the one that it writes to */
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
