import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

/** The folder for generated databases. */
export const CACHE = '.stagedoor/bench';
/** The folder for results. */
export const RESULTS = 'bench/results';
const MIGRATIONS = 'apps/server/src/db/migrations';

/** Milliseconds. */
export interface Percentiles {
  /** The fastest call: its duration without interference. */
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function percentiles(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { min: at(0), p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Returns whether the database is complete: its generation ends with a vacuum. */
export async function isGenerated(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select 1 from pg_class where relname = 'messages' and relallvisible > 0 and reltuples > 0`,
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

/** Returns a suffix for database names: eight hexadecimal digits that change with the migrations. */
export async function schemaName(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(MIGRATIONS)).sort()) {
    hash.update(await readFile(path.join(MIGRATIONS, name)));
  }
  return hash.digest('hex').slice(0, 8);
}
