import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** A row as JSON, by column. */
export type Row = Record<string, unknown>;

/** Inserts all rows in one statement, as JSON: a statement can have at most 65,535 separate values. */
export async function insertRows(
  tx: Kysely<Tables>,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)})`.execute(
    tx,
  );
}

/** Returns a UUID (version 8, custom) that is always the same for the same name. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(`stagedoor sample ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
