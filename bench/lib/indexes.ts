import type pg from 'pg';

export interface Index {
  readonly name: string;
  readonly definition: string;
}

/**
 * Drops the indexes that no constraint needs, since building them in bulk at the end is many times faster. Returns the indexes to
 * build.
 */
export async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relname = any($1) and c.relnamespace = current_schema()::regnamespace
      and not exists (select 1 from pg_constraint where conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}
