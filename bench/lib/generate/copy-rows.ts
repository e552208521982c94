import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Characters per chunk. */
const CHUNK = 1 << 18;
const LOG_EVERY_MS = 10_000;

/** A column value; null is NULL. Times are ISO strings. */
export type Value = string | number | boolean | null;

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function encode(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') {
    return value.replace(SPECIAL, (character) => ESCAPES[character] ?? character);
  }
  return String(value);
}

/** A table and the rows to load into it. */
export interface Filling {
  readonly table: string;
  /** Separated by spaces. */
  readonly columns: string;
  /** Approximate row count, for estimating the time left. */
  readonly expected: number;
  rows(): Iterable<readonly Value[]>;
}

/**
 * Loads rows into a table with COPY, and logs progress every ten seconds.
 * @param freeze whether to truncate the table first and load frozen rows, which saves vacuuming them
 * @returns the number of rows
 */
export async function copyRows(
  client: pg.Client,
  { table, columns, expected, rows }: Filling,
  log: (line: string) => void,
  freeze = true,
): Promise<number> {
  const started = performance.now();
  let count = 0;
  let loggedAt = started;
  function* chunks() {
    let chunk = '';
    for (const row of rows()) {
      chunk += `${row.map(encode).join('\t')}\n`;
      count += 1;
      if (chunk.length < CHUNK) continue;
      yield Buffer.from(chunk);
      chunk = '';
      if (performance.now() - loggedAt < LOG_EVERY_MS) continue;
      loggedAt = performance.now();
      log(`           ${progress(table, count, expected, (loggedAt - started) / 1000)}`);
    }
    if (chunk !== '') yield Buffer.from(chunk);
  }
  await client.query('begin');
  if (freeze) await client.query(`truncate ${table}`);
  const target = client.query(
    copyFrom(
      `copy ${table} (${columns.replaceAll(' ', ', ')}) from stdin ${freeze ? 'with (freeze)' : ''}`,
    ),
  );
  await pipeline(Readable.from(chunks()), target);
  await client.query('commit');
  return count;
}

function progress(table: string, count: number, expected: number, seconds: number): string {
  const rate = count / seconds;
  const left = Math.max(0, (expected - count) / rate);
  const share = Math.min(100, (100 * count) / expected);
  return `${table}: ${count.toLocaleString('en')} rows (${share.toFixed(0)} %), ${Math.round(rate).toLocaleString('en')} a second, ${left.toFixed(0)} s left`;
}
