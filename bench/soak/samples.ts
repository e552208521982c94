import { readdir } from 'node:fs/promises';
import type { Installation } from '../lib/installation.ts';
import { type Memory, memoryAfterGc } from '../lib/memory-probe.ts';

/** The server's memory and handles at one moment. */
export interface Sample extends Memory {
  /** Seconds since the load started. */
  readonly at: number;
  readonly descriptors: number;
  readonly connections: number;
}

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
  const memory = await memoryAfterGc(pid, file);
  const client = await database.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await client.end();
  return {
    at: (performance.now() - since) / 1000,
    ...memory,
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    connections: rows[0]?.count ?? 0,
  };
}
