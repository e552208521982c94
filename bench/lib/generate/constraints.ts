import type pg from 'pg';

/** A statement that makes anew what was taken away. */
export interface Remake {
  readonly what: string;
  readonly statement: string;
}

/**
 * Takes every foreign key away, and of the tables that are filled all indexes, those of keys too: made at the end, of all rows at once,
 * they take a fraction of the time.
 * @returns what is to be run once the rows are there, in that order
 */
export async function takeConstraints(
  client: pg.Client,
  tables: readonly string[],
): Promise<Remake[]> {
  const constraints = async (condition: string) => {
    const { rows } = await client.query<{ table: string; name: string; definition: string }>(
      `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace and ${condition}`,
      condition.includes('$1') ? [tables] : [],
    );
    for (const { table, name } of rows) {
      await client.query(`alter table ${table} drop constraint ${name}`);
    }
    return rows.map(({ table, name, definition }) => ({
      what: `${table}: ${name}`,
      statement: `alter table ${table} add constraint ${name} ${definition}`,
    }));
  };
  const foreign = await constraints(`contype = 'f' and conparentid = 0`);
  const keys = await constraints(`contype in ('p', 'u') and conrelid::regclass::text = any($1)`);
  const { rows: indexes } = await client.query<{ table: string; name: string; statement: string }>(
    `select indrelid::regclass::text as table, indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as statement
    from pg_index where indrelid::regclass::text = any($1)`,
    [tables],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return [
    ...keys,
    ...indexes.map(({ table, name, statement }) => ({ what: `${table}: ${name}`, statement })),
    ...foreign,
  ];
}
