import { createHash, randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { isUntouched, openBackupWorld, quietly } from '../../test/worlds/backup-world.ts';
import { openDatabase } from '../db/database.ts';
import { openInstallation } from '../installation.ts';
import { createLogger } from '../log.ts';
import { createBackup } from './create-backup.ts';
import { type TablePart, tableFile } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';

const log = createLogger('silent');
const world = await openBackupWorld();
afterAll(() => world.close());
const { paid, source, whole, newFolder, emptyTarget, startOn, changed, copyOfWhole } = world;

test('a backup with any damage is rejected, and the target stays empty', async () => {
  const target = await emptyTarget();
  const refused = (folder: string) => expect(restoreBackup(folder, target, log, quietly)).rejects;
  const [picture = ''] = await readdir(path.join(whole, 'files', 'products'));
  const parts = [
    'database/public.messages.copy.gz',
    `files/products/${picture}`,
    'objects.jsonl',
    'secrets/platform-key',
    'manifest.json',
  ];
  for (const part of parts) {
    const longer = await copyOfWhole();
    await appendFile(path.join(longer, part), 'x');
    await refused(longer).toThrow(/^The backup is damaged: .* has changed\.$/);
    const gone = await copyOfWhole();
    await rm(path.join(gone, part));
    await refused(gone).toThrow(/ is missing\.$|^.* is not a backup, or is an unfinished one/);
    const short = await copyOfWhole();
    const bytes = await readFile(path.join(short, part));
    await writeFile(path.join(short, part), bytes.subarray(0, bytes.length / 2));
    await refused(short).toThrow(/^The backup is damaged: .* has changed\.$/);
  }
  expect(await isUntouched(target)).toBe(true);
});

test('a backup of a newer version is rejected', async () => {
  const target = await emptyTarget();
  const newer = [
    await changed((manifest) => Object.assign(manifest, { migration: '9999-later' })),
    await changed((manifest) => Object.assign(manifest, { format: 2, tables: 'elsewhere' })),
  ];
  for (const folder of newer) {
    await expect(restoreBackup(folder, target, log, quietly)).rejects.toThrow(
      /^The backup was made by a newer version/,
    );
  }
  expect(await isUntouched(target)).toBe(true);
});

test('push subscriptions in an older backup are not restored', async () => {
  const row = [randomUUID(), 'https://push.example', '\\\\x', '\\\\x', '2026-05-01 00:00:00+00'];
  const file = gzipSync(`${row.join('\t')}\n`);
  const table: TablePart = {
    schema: 'public',
    name: 'push_subscriptions',
    columns: ['session_id', 'endpoint', 'public_key', 'auth', 'created_at'],
    rows: 1,
    bytes: file.length,
    sha256: createHash('sha256').update(file).digest('hex'),
  };
  const older = await changed(({ tables }) => tables.push(table));
  await writeFile(path.join(older, tableFile(table)), file);
  const target = await emptyTarget();
  await restoreBackup(older, target, log, quietly);
  const { db } = await startOn(target);
  expect(await db.kysely.selectFrom('push_subscriptions').selectAll().execute()).toEqual([]);
});

test('a restore needs an empty target, and a backup an empty folder', async () => {
  const full = await emptyTarget();
  await restoreBackup(whole, full, log, quietly);
  const again = restoreBackup(whole, full, log, quietly);
  await expect(again).rejects.toThrow(/is not empty\. Set DATA_DIR/);
  const elsewhere = { ...full, dataDir: newFolder() };
  await expect(restoreBackup(whole, elsewhere, log, quietly)).rejects.toThrow(
    'The database is not empty. Use an empty one.',
  );
  expect(await readdir(elsewhere.dataDir)).toEqual([]);
  await expect(createBackup(source, whole, quietly)).rejects.toThrow(/is not empty/);
  const restored = await startOn(full);
  await restored.platform.call(recordPurchase, { body: paid.sale });
});

test('a restore that fails in the middle is undone', async () => {
  const target = await emptyTarget();
  const unknown = await changed(({ tables }) => tables[0]?.columns.push('from_the_future'));
  await expect(restoreBackup(unknown, target, log, quietly)).rejects.toThrow(
    /^This version does not have/,
  );
  expect(await isUntouched(target)).toBe(true);
  const short = await changed(({ tables }) => {
    for (const table of tables) table.rows += table.name === 'purchases' ? 1 : 0;
  });
  await expect(restoreBackup(short, target, log, quietly)).rejects.toThrow(
    /^Only 1 of 2 rows of purchases/,
  );
  expect(await isUntouched(target)).toBe(true);
  await restoreBackup(whole, target, log, quietly);
});

test('after a killed restore no server starts, and the next restore starts over', async () => {
  const target = await emptyTarget();
  const db = openDatabase({ connectionString: target.databaseUrl }, quietly);
  await sql`create table restore_unfinished ()`.execute(db.kysely);
  await sql`create table messages (half text)`.execute(db.kysely);
  await db.close();
  await mkdir(path.join(target.dataDir, 'keys'), { recursive: true });
  await writeFile(path.join(target.dataDir, 'restore-unfinished'), '');
  await writeFile(path.join(target.dataDir, 'keys', 'media-urls'), 'half');
  await expect(openInstallation(target, log)).rejects.toThrow(
    'a restore into this database was not finished. Run npm run restore again.',
  );
  await restoreBackup(whole, target, log, quietly);
  expect((await readdir(target.dataDir)).toSorted()).toEqual(['files', 'keys', 'platform-key']);
  const { close } = await openInstallation(target, log);
  await close();
});
