import path from 'node:path';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { columnList, listSequences, listTables, qualified, type TableShape } from './catalog.ts';
import { type SequenceState, type TablePart, tableFile, WORTH_A_LINE } from './manifest.ts';
import { objectKeysQuery } from './object-keys.ts';
import { writePart } from './parts.ts';

/**
 * Tables that are left out: staff sessions and their push subscriptions, because a restore must not revive sessions that ended
 * after the backup; short-lived data of sign-ins; ended fan sessions; objects to delete; and data about the nodes.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'sessions',
  'push_subscriptions',
  'login_codes',
  'storage_garbage',
  'installation',
  'key_requests',
  'ended_fan_sessions',
  'pending_sign_ins',
  'passkey_challenges',
]);

export interface Dump {
  /** The time of the snapshot. */
  readonly takenAt: string;
  readonly tables: TablePart[];
  readonly sequences: SequenceState[];
}

/**
 * Writes every table as of one snapshot, without blocking writers.
 * @param keysFile receives the key of every object that a row references, one per line
 */
export async function dumpDatabase(
  client: pg.Client,
  folder: string,
  keysFile: string,
  say: (line: string) => void,
): Promise<Dump> {
  await client.query('begin isolation level repeatable read, read only');
  const shapes = await listTables(client);
  // The snapshot protects the rows; this lock protects the tables from schema changes.
  await client.query(`lock table ${shapes.map(qualified).join(', ')} in access share mode`);
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  const tables: TablePart[] = [];
  for (const shape of shapes) {
    if (LEFT_OUT.has(shape.name)) continue;
    const table = await dumpTable(client, folder, shape);
    tables.push(table);
    if (table.rows >= WORTH_A_LINE) say(`${shape.name}: ${table.rows.toLocaleString('en')} rows`);
  }
  const sequences = await listSequences(client);
  await writePart(keysFile, () =>
    client.query(copyTo(`copy (${objectKeysQuery(shapes)}) to stdout`)),
  );
  await client.query('commit');
  return { takenAt: (rows[0]?.at ?? new Date()).toISOString(), tables, sequences };
}

async function dumpTable(client: pg.Client, folder: string, shape: TableShape): Promise<TablePart> {
  const rows = copyTo(
    `copy (select ${columnList(shape.columns)} from ${qualified(shape)}) to stdout`,
  );
  const file = path.join(folder, tableFile(shape));
  // Even the fastest level compresses text to a fifth.
  const written = await writePart(file, () => client.query(rows), createGzip({ level: 1 }));
  return { ...shape, ...written, rows: rows.rowCount };
}
