import pg from 'pg';
import type { Database } from '../db/database.ts';
import { ServerClient } from '../db/servers.ts';
import { UNFINISHED_RESTORE } from '../db/unfinished-restore.ts';
import type { SequenceState, TablePart } from './manifest.ts';

/** A table and the columns to back up: all except generated ones. */
export type TableShape = Pick<TablePart, 'schema' | 'name' | 'columns'>;

/**
 * Opens a connection outside the pool, with fixed value formats and no time limits, whatever the server's settings are.
 * @param name shown in the database's list of connections
 */
export async function connectAlone(db: Database, name: string): Promise<pg.Client> {
  const client = new ServerClient({
    ...db.connectionOptions,
    application_name: name,
    options:
      '-c timezone=UTC -c jit=off -c datestyle=ISO -c intervalstyle=postgres -c bytea_output=hex -c statement_timeout=0 -c idle_in_transaction_session_timeout=0',
  });
  await client.connect();
  return client;
}

/** SQL condition: the relation doesn't belong to an extension. */
const OURS = `not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')`;

/**
 * Lists our tables in an order in which they can be filled. Of the job schema, lists only `queue` and then `job`; the library
 * recreates the rest.
 */
export async function listTables(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `select n.nspname as schema, c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') and not c.relispartition and ${OURS}
       and (n.nspname = 'public' and c.relname <> $1 or n.nspname = 'jobs' and c.relname in ('queue', 'job'))
     group by 1, 2
     order by n.nspname = 'jobs', c.relname <> 'queue', c.relname`,
    [UNFINISHED_RESTORE],
  );
  return rows;
}

/** Returns the current state of each sequence. Snapshots don't cover sequences: a value may be ahead of the rows, never behind. */
export async function listSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace and ${OURS} order by 1`,
  );
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<SequenceState>(
      `select $1 as name, last_value::text, is_called from ${qualified({ schema: 'public', name })}`,
      [name],
    );
    states.push(...found);
  }
  return states;
}

/** Checks whether the schemas `public` and `jobs` have no relations except those that extensions created. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ used: boolean }>(
    `select exists (select from pg_class c where ${OURS}
       and c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs'))) as used`,
  );
  return rows[0]?.used === false;
}

/** Drops the job schema, and all of our tables, sequences and functions. Keeps what extensions created. */
export async function emptyDatabase(client: pg.Client): Promise<void> {
  await client.query(`do $$
    declare doomed record;
    begin
      drop schema if exists jobs cascade;
      for doomed in
        select format('%I.%I', 'public', c.relname) as name, c.relkind from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${OURS}
      loop
        execute 'drop table ' || doomed.name || ' cascade';
      end loop;
      for doomed in
        select format('%I.%I', 'public', c.relname) as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and ${OURS}
      loop
        execute 'drop sequence ' || doomed.name || ' cascade';
      end loop;
      for doomed in
        select p.oid::regprocedure as name from pg_proc p
        where p.pronamespace = 'public'::regnamespace and not exists (
          select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
      loop
        execute 'drop function ' || doomed.name || ' cascade';
      end loop;
    end $$`);
}

/** Returns a table's qualified name, quoted for SQL. */
export const qualified = ({ schema, name }: { schema: string; name: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** Returns a list of columns, quoted for SQL. */
export const columnList = (columns: readonly string[]): string =>
  columns.map((column) => pg.escapeIdentifier(column)).join(', ');
