import type pg from 'pg';

export interface Size {
  readonly table: string;
  /** Null for the table itself, including its TOAST data. */
  readonly index: string | null;
  readonly rows: number;
  readonly bytes: number;
}

/** Returns all tables and indexes of a database, largest tables first. */
export async function tableSizes(client: pg.Client): Promise<Size[]> {
  const { rows } = await client.query<Size>(
    `select t.relname as table, null as index, t.reltuples::float8 as rows, pg_table_size(t.oid)::float8 as bytes
    from pg_class t where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
    union all
    select t.relname, i.relname, i.reltuples::float8, pg_relation_size(i.oid)::float8
    from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
    where t.relnamespace = 'public'::regnamespace`,
  );
  const whole = new Map<string, number>();
  for (const { table, bytes } of rows) whole.set(table, (whole.get(table) ?? 0) + bytes);
  return rows.sort(
    (a, b) =>
      (whole.get(b.table) ?? 0) - (whole.get(a.table) ?? 0) ||
      Number(a.index !== null) - Number(b.index !== null) ||
      b.bytes - a.bytes,
  );
}

const MB = 1 << 20;

/** Prints the sizes; omits entries below one megabyte. */
export function showSizes(sizes: readonly Size[]): void {
  const large = sizes.filter(({ bytes }) => bytes >= MB);
  console.table(large.map(({ bytes, ...size }) => ({ ...size, MB: Math.round(bytes / MB) })));
  console.log(`${Math.round(sizes.reduce((sum, { bytes }) => sum + bytes, 0) / MB)} MB in all`);
}
