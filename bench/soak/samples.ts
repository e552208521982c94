import { readdir, readFile } from 'node:fs/promises';
import type { Installation } from '../faults/installation.ts';
import { memoryOf } from '../lib/process-memory.ts';

/** The server's memory and handles at one moment, after garbage collection. */
export interface Sample {
  /** Seconds since the load started. */
  readonly at: number;
  /** Bytes: the JavaScript heap, and buffers outside it. */
  readonly heap: number;
  readonly external: number;
  /** Resident memory in MB, as counted by Linux. */
  readonly rss: number;
  /** Resources that keep Node running: sockets, files, file system requests; without timers. */
  readonly handles: number;
  readonly descriptors: number;
  readonly connections: number;
}

/** Milliseconds that a busy server gets to collect garbage. */
const ANSWER_WITHIN = 30_000;
const LOOK_MS = 20;

/**
 * Takes one sample.
 * @param file the output file of the probe in the server
 */
export async function takeSample(
  { pid, database }: Installation,
  file: string,
  since: number,
): Promise<Sample> {
  if (pid === null) throw new Error('the server has ended');
  const noted = () =>
    readFile(file, 'utf8').then(
      (text) => text.trimEnd().split('\n'),
      () => [],
    );
  const before = (await noted()).length;
  process.kill(pid, 'SIGUSR2');
  const deadline = Date.now() + ANSWER_WITHIN;
  let lines = await noted();
  while (lines.length === before) {
    if (Date.now() > deadline) throw new Error('the server does not collect its garbage');
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    lines = await noted();
  }
  const own = JSON.parse(lines.at(-1) ?? '') as Pick<Sample, 'heap' | 'external' | 'handles'>;
  const client = await database.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
  return {
    at: (performance.now() - since) / 1000,
    ...own,
    rss: await memoryOf(pid),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    connections: rows[0]?.count ?? 0,
  };
}
