import { readFile } from 'node:fs/promises';
import { until } from '../../apps/server/test/until.ts';

/** A server's memory after garbage collection. */
export interface Memory {
  /** Bytes: the JavaScript heap, buffers outside it, and resident memory. */
  readonly heap: number;
  readonly external: number;
  readonly rss: number;
  /** The number of resources that keep Node running, such as sockets, files and file system requests; timers don't count. */
  readonly handles: number;
}

/** Time limit for a busy server to collect garbage. Milliseconds. */
const PATIENCE_MS = 30_000;

const PROBE = new URL('./memory-probe.mjs', import.meta.url).href;

/** Returns the Node options and environment that load the probe into a server. @param file the probe's output file */
export const probed = (file: string) => ({
  nodeArgs: ['--expose-gc', '--import', PROBE],
  env: { PROBE_FILE: file },
});

/** Makes a probed server collect garbage and returns its memory. */
export async function memoryAfterGc(pid: number, file: string): Promise<Memory> {
  const lines = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  const before = (await lines()).length;
  process.kill(pid, 'SIGUSR2');
  const line = await until('memory', async () => (await lines())[before], PATIENCE_MS);
  return JSON.parse(line) as Memory;
}
