import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { inboxStats } from '@stagedoor/contract/inbox/conversations';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildConversation, buildFanMessage, buildStaff, unique } from '../../test/factories.ts';
import { fetchFile, uploadAsStaff } from '../../test/files.ts';
import type { TestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { openBackupWorld, quietly } from '../../test/worlds/backup-world.ts';
import { openMarket } from '../../test/worlds/market.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { openInstallation } from '../installation.ts';
import { createLogger } from '../log.ts';
import { sweepFiles } from '../media/new-objects.ts';
import { openStorage } from '../storage/open-storage.ts';
import { createBackup } from './create-backup.ts';
import type { Manifest } from './manifest.ts';
import { OBJECT_COLUMNS } from './object-keys.ts';
import { restoreBackup } from './restore-backup.ts';

const log = createLogger('silent');
const world = await openBackupWorld();
afterAll(() => world.close());
const { app, market, paid, locked, invited, source, whole, newFolder, emptyTarget, startOn } =
  world;

/** Hashes each table's rows, except for the tables that are left out of a backup. */
async function fingerprint(db: Database): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = 'public'
        and tablename not in ('sessions', 'push_subscriptions', 'login_codes', 'storage_garbage')
      or schemaname = 'jobs' and tablename = 'job_common'`.execute(db.kysely);
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: hashes } = await sql<{ hash: string }>`
      select count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash
      from ${sql.raw(name)} t`.execute(db.kysely);
    found[name] = hashes[0]?.hash ?? '';
  }
  const { rows: sequences } = await sql`
    select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`.execute(
    db.kysely,
  );
  return { ...found, sequences: JSON.stringify(sequences) };
}

/** Returns all constraints, triggers and indexes. */
async function rulesOf(db: Database): Promise<unknown[]> {
  const { rows } = await sql`
    select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as rule from pg_constraint
      where connamespace = 'public'::regnamespace
    union all
    select tgrelid::regclass::text, tgname, tgenabled::text from pg_trigger where not tgisinternal
      and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all
    select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    order by 1, 2, 3`.execute(db.kysely);
  return rows;
}

test('a backup taken during sends is one snapshot: no confirmed message is missing, and nothing is inconsistent', async () => {
  const sent = new Map<string, string>();
  const { fan, id } = await buildConversation(app);
  let over = false;
  const send = async (write: (key: string) => Promise<string>) => {
    while (!over) {
      const key = unique('key');
      sent.set(key, await write(key));
    }
  };
  const reply = async (from: TestApp, token: string, key: string) => {
    const call = {
      headers: { 'idempotency-key': key },
      body: { conversation_id: id, content: key },
    };
    return (await from.staff(token).call(sendMessage, call)).body.data.id;
  };
  const write = async (from: TestApp, key: string) =>
    (await buildFanMessage(from, fan, { client_id: key, content: key })).id;
  const staff = await buildStaff(app);
  const sending = [
    send((key) => write(app, `fan-${key}`)),
    send((key) => reply(app, staff.token, `staff-${key}`)),
  ];
  await until('messages are on their way', async () => sent.size > 10);
  const before = new Map(sent);
  const folder = newFolder();
  const { objects } = await createBackup(source, folder, quietly);
  const duringBackup = sent.size - before.size;
  over = true;
  await Promise.all(sending);
  expect(duringBackup).toBeGreaterThan(0);
  expect(objects.missing).toEqual([]);

  const target = await emptyTarget();
  await restoreBackup(folder, target, log, quietly);
  const restored = await startOn(target);
  const token = await restored.insertSession(staff.admin.id);
  for (const [key, message] of before) {
    const again = await restored.db.kysely
      .selectFrom('messages')
      .select(['id', 'author_id'])
      .where('client_message_id', 'in', [`fan-${key}`, `staff-${key}`])
      .executeTakeFirstOrThrow();
    expect(again.id).toBe(message);
    const isStaffs = again.author_id === staff.admin.id;
    const repeated = isStaffs
      ? reply(restored, token, `staff-${key}`)
      : write(restored, `fan-${key}`);
    expect(await repeated).toBe(message);
  }
  const { rows } = await sql`
    select c.id from conversations c
    where c.last_seq <> (select count(*) from messages where conversation_id = c.id)
      or c.last_seq <> (select coalesce(max(seq), 0) from messages where conversation_id = c.id)
      or c.unread_count <> (select count(*) from messages where conversation_id = c.id and from_fan and read_at is null)`.execute(
    restored.db.kysely,
  );
  expect(rows).toEqual([]);
  const stats = (await restored.staff(token).call(inboxStats)).body.data;
  const { rows: counted } = await sql<{ all: number; unread: number }>`
    select count(*)::int as all, count(*) filter (where unread_count > 0)::int as unread from conversations`.execute(
    restored.db.kysely,
  );
  expect([stats.total_conversations, stats.unread_count]).toEqual([
    counted[0]?.all,
    counted[0]?.unread,
  ]);
  const { rows: last } = await sql<{ seq: number }>`
    select last_seq as seq from conversations where id = ${id}`.execute(restored.db.kysely);
  const next = await buildFanMessage(restored, fan);
  const { seq } = await restored.db.kysely
    .selectFrom('messages')
    .select('seq')
    .where('id', '=', next.id)
    .executeTakeFirstOrThrow();
  expect(seq).toBe((last[0]?.seq ?? 0) + 1);
});

test('every row, sequence, constraint, waiting job, file and key is restored; staff must sign in again, and purchases stay unlocked', async () => {
  const folder = newFolder();
  const expected = await fingerprint(app.db);
  await createBackup(source, folder, quietly);
  const target = await emptyTarget();
  await restoreBackup(folder, target, log, quietly);
  const db = openDatabase({ connectionString: target.databaseUrl }, quietly);
  expect(await fingerprint(db)).toEqual(expected);
  expect(await rulesOf(db)).toEqual(await rulesOf(app.db));
  await sql`update jobs.job set start_after = now()`.execute(db.kysely);
  await db.close();
  expect(await readFile(path.join(target.dataDir, 'keys', 'media-urls'), 'utf8')).toBe(
    'the key of the links\n',
  );

  const restored = await startOn(target);
  await restored.smtp.mailTo(invited);
  expect(await restored.signIn(market.manager.admin.email)).toEqual(expect.any(String));
  const old = await restored.staff(market.manager.token).refused(inboxStats);
  expect(old.status).toBe(401);
  const there = await openMarket(restored);
  const [open, shut] = [await there.seen(paid), await there.seen(locked)];
  expect([open.ofFan.locked, shut.ofFan.locked]).toEqual([false, true]);
  for (const { ofStaff } of [open, shut]) {
    expect((await fetchFile(restored, ofStaff.url)).status).toBe(200);
  }
});

test('a backup restored into another embedded database gives the same backup again', async () => {
  const dataDir = newFolder();
  const target = { dataDir, databaseUrl: null, s3: null };
  await restoreBackup(whole, target, log, quietly);
  const { db, close } = await openInstallation(target, log);
  const storage = await openStorage(target);
  const folder = newFolder();
  await createBackup({ db, storage, dataDir }, folder, quietly);
  await close();
  const read = async (of: string): Promise<Manifest> =>
    JSON.parse(await readFile(path.join(of, 'manifest.json'), 'utf8'));
  const [one, other] = [await read(whole), await read(folder)];
  const sizes = ({ tables }: Manifest) =>
    tables.map(({ name, rows, sha256 }) => [name, rows, sha256]);
  expect(sizes(other)).toEqual(sizes(one));
  expect({ ...other.objects, list: null }).toEqual({ ...one.objects, list: null });
  expect([other.sequences, other.secrets]).toEqual([one.sequences, one.secrets]);
});

test('a file deleted during a backup is still in it, and is removed afterwards', async () => {
  const staff = await buildStaff(app);
  const file = { data: Buffer.from('about to go'), filename: 'gone.txt' };
  const [upload] = await uploadAsStaff(staff, paid.conversation.id, file);
  const { storage_key: key } = await app.db.kysely
    .selectFrom('uploads')
    .select('storage_key')
    .where('id', '=', upload?.id ?? '')
    .executeTakeFirstOrThrow();
  let swept = false;
  const storage = {
    ...app.storage,
    async get(asked: string) {
      if (!swept) {
        swept = true;
        await app.db.kysely.deleteFrom('uploads').where('storage_key', '=', key).execute();
        await sweepFiles(app);
      }
      return app.storage.get(asked);
    },
  };
  const folder = newFolder();
  const { objects } = await createBackup({ ...source, storage }, folder, quietly);
  expect(objects.missing).toEqual([]);
  expect(await readFile(path.join(folder, 'files', key), 'utf8')).toBe('about to go');
  expect(await app.storage.size(key)).not.toBeNull();
  await sweepFiles(app);
  expect(await app.storage.size(key)).toBeNull();
});

test('a file missing from the storage is reported, and the rest is backed up', async () => {
  const { full_key: key } = await app.db.kysely
    .selectFrom('products')
    .select('full_key')
    .where('id', '=', locked.product.id)
    .executeTakeFirstOrThrow();
  const storage = {
    ...app.storage,
    get: async (asked: string) => (asked === key ? null : app.storage.get(asked)),
  };
  const folder = newFolder();
  const { objects } = await createBackup({ ...source, storage }, folder, quietly);
  expect(objects.missing).toEqual([key]);
  await restoreBackup(folder, await emptyTarget(), log, quietly);
});

test('a backup that fails leaves nothing in its folder', async () => {
  const broken = new Error('the storage says no');
  const storage = { ...app.storage, get: () => Promise.reject(broken) };
  const folder = newFolder();
  await expect(createBackup({ ...source, storage }, folder, quietly)).rejects.toBe(broken);
  expect(await readdir(folder)).toEqual([]);
});

test('every column that references an object is known', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name like '%\\_key' and data_type = 'text'`.execute(
    app.db.kysely,
  );
  const elsewhere = ['storage_garbage.storage_key', 'creators.avatar_key'];
  const named = rows.map(({ table, column }) => `${table}.${column}`);
  const known = Object.entries(OBJECT_COLUMNS).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  );
  expect(named.toSorted()).toEqual([...known, ...elsewhere].toSorted());
});
