import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { UNFINISHED_RESTORE } from '../db/unfinished-restore.ts';
import { BackupError } from './backup-error.ts';
import { columnList, listTables, qualified } from './catalog.ts';
import { LEFT_OUT } from './dump-database.ts';
import { type Manifest, type TablePart, tableFile, WORTH_A_LINE } from './manifest.ts';

/**
 * Fills a database's tables with a backup's rows, in a transaction that the caller commits. Triggers don't fire, because the rows
 * already include their effects. Foreign keys and indexes are dropped first and recreated at the end.
 * @throws BackupError if the backup has tables or columns that the database doesn't, or fewer rows than its manifest says
 */
export async function loadDatabase(
  client: pg.Client,
  folder: string,
  { tables: dumped, sequences }: Manifest,
  say: (line: string) => void,
): Promise<void> {
  // Older backups contain push subscriptions without the sessions that they reference.
  const tables = dumped.filter(({ name }) => !LEFT_OUT.has(name));
  await client.query('begin');
  const shapes = await listTables(client);
  for (const table of tables) {
    const shape = shapes.find(({ schema, name }) => schema === table.schema && name === table.name);
    const unknown = table.columns.filter((column) => !shape?.columns.includes(column));
    if (shape === undefined || unknown.length > 0) {
      throw new BackupError(
        `This version does not have ${table.name}${shape ? `.${unknown.join(', ')}` : ''}. Restore with the version that made the backup.`,
      );
    }
  }
  const ours = shapes.filter(({ schema }) => schema === 'public').map(qualified);
  for (const table of ours) await client.query(`alter table ${table} disable trigger user`);
  const foreignKeys = await takeForeignKeys(client);
  const indexes = await takeIndexes(client);
  // Removes the rows that migrations have inserted.
  await client.query(`truncate ${shapes.map(qualified).join(', ')} cascade`);
  for (const table of tables) {
    await loadTable(client, folder, table);
    if (table.rows >= WORTH_A_LINE) say(`${table.name}: ${table.rows.toLocaleString('en')} rows`);
  }
  for (const { name, last_value, is_called } of sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [
      qualified({ schema: 'public', name }),
      last_value,
      is_called,
    ]);
  }
  say('Creating indexes and checking foreign keys');
  await client.query(`set local maintenance_work_mem = '256MB'`);
  for (const { definition } of indexes) await client.query(definition);
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const table of ours) await client.query(`alter table ${table} enable trigger user`);
  await client.query(`drop table ${UNFINISHED_RESTORE}`);
}

async function loadTable(client: pg.Client, folder: string, table: TablePart): Promise<void> {
  const target = client.query(
    copyFrom(`copy ${qualified(table)} (${columnList(table.columns)}) from stdin`),
  );
  await pipeline(createReadStream(path.join(folder, tableFile(table))), createGunzip(), target);
  if (target.rowCount !== table.rows) {
    throw new BackupError(
      `Only ${target.rowCount} of ${table.rows} rows of ${table.name} were restored.`,
    );
  }
}

async function takeForeignKeys(client: pg.Client) {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} drop constraint ${name}`);
  }
  return rows;
}

/**
 * Drops all indexes except those that a constraint needs: creating them again at the end is much faster than updating them with
 * each row.
 */
async function takeIndexes(client: pg.Client) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     join pg_class c on c.oid = i.indexrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'i' and not c.relispartition
       and not exists (select from pg_constraint where conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows;
}
