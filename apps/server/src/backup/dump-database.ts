import path from 'node:path';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { columnList, listSequences, listTables, qualified, type TableShape } from './catalog.ts';
import { type SequenceState, type TablePart, tableFile, WORTH_A_LINE } from './manifest.ts';
import { objectKeysQuery } from './object-keys.ts';
import { writePart } from './parts.ts';

/**
 * Tables whose rows are of no use in another place: sessions of staff, which must not come to life again after they were
 * ended, codes and sign-ins of minutes, notes of objects that are to be deleted, and what nodes know of each other.
 */
const LEFT_OUT = new Set([
  'sessions',
  'login_codes',
  'storage_garbage',
  'installation',
  'key_requests',
  'ended_fan_sessions',
  'pending_sign_ins',
  'passkey_challenges',
]);

export interface Dump {
  /** The moment that all of it shows. */
  readonly takenAt: string;
  readonly tables: TablePart[];
  readonly sequences: SequenceState[];
}

/**
 * Writes every table as it was at one moment; whoever writes meanwhile is not held up.
 * @param keysFile gets the key of every object that a row names, a line each
 */
export async function dumpDatabase(
  client: pg.Client,
  folder: string,
  keysFile: string,
  say: (line: string) => void,
): Promise<Dump> {
  await client.query('begin isolation level repeatable read, read only');
  const shapes = await listTables(client);
  // Rows are safe by the snapshot; this keeps the tables themselves from being changed.
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
  // Text shrinks to a fifth already at the quickest level.
  const written = await writePart(file, () => client.query(rows), createGzip({ level: 1 }));
  return { ...shape, ...written, rows: rows.rowCount };
}
