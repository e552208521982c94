import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { mountSmallDisk } from '../../test/servers/small-disk.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

/** A new cluster takes about 60 MB. */
const DISK_MEGABYTES = 128;
/** PostgreSQL's write-ahead log grows in segments of 16 MB. This is more than a new cluster preallocates. */
const LOG_PARTS = 12;
const MEGABYTE = Buffer.alloc(1024 * 1024, 1);

async function ask(database: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client({ ...database.connection, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w');
  const full = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error;
    return true;
  };
  while (!(await handle.appendFile(MEGABYTE).catch(full)));
  await handle.close();
}

test('an embedded database that stops because its disk is full restarts by itself with all confirmed rows once there is space', async (context) => {
  const disk = await mountSmallDisk(DISK_MEGABYTES);
  if (disk === null) {
    context.skip('a small file system can be mounted by root only');
    return;
  }
  const said: string[] = [];
  const database = await startEmbeddedPostgres({
    dataDir: disk.root,
    log: (line) => said.push(line),
  });
  try {
    // The first row allocates space for the others.
    await ask(database, 'create table kept (number int)');
    await ask(database, 'insert into kept values (0)');
    const ballast = path.join(disk.root, 'ballast');
    await fill(ballast);
    let confirmed = 1;
    const write = async () => {
      for (let part = 1; part <= LOG_PARTS; part++) {
        await ask(database, `insert into kept values (${part})`);
        confirmed++;
        await ask(database, 'select pg_switch_wal()');
      }
    };
    await expect(write()).rejects.toThrow();
    await expect.poll(() => said.join('\n')).toContain('could not be restarted');
    await expect(ask(database, 'select 1')).rejects.toThrow();
    await rm(ballast);
    const rows = () => ask(database, 'select number from kept order by number').catch(() => []);
    await expect.poll(rows).not.toEqual([]);
    // A row whose confirmation was lost may be there too.
    expect((await rows()).slice(0, confirmed)).toEqual(
      Array.from({ length: confirmed }, (_, number) => ({ number })),
    );
    await ask(database, 'insert into kept values (100)');
  } finally {
    await database.stop();
    await disk.unmount();
  }
});
