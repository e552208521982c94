import { query } from '../query.ts';

/** Copies a database, which must have no open connections, on the same server. Returns the URL of the copy. */
export async function copyDatabase(url: string, name: string): Promise<string> {
  const address = new URL(url);
  const source = address.pathname.slice(1);
  address.pathname = '/postgres';
  await query(address.href, `create database ${name} template ${source} strategy file_copy`);
  address.pathname = `/${name}`;
  return address.href;
}

/** Analyzes every row of a database: statistics from a sample would differ from run to run. */
export const analyzeEveryRow = (url: string) =>
  query(
    url,
    `do $$
     declare first record;
     begin
       for first in
         select attrelid::regclass as tbl, attname from pg_attribute join pg_class on pg_class.oid = attrelid
         where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum = 1
       loop
         -- analyze samples 300 rows per unit of the largest statistics target.
         execute format('alter table %s alter column %I set statistics 1000', first.tbl, first.attname);
       end loop;
     end $$;
     analyze`,
  );
