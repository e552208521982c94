import { createHash, randomBytes } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inboxStats } from '@stagedoor/contract/conversations';
import { sendMessage } from '@stagedoor/contract/messages';
import { recordPurchase } from '@stagedoor/contract/platform';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { buildConversation, buildFanMessage, buildStaff, unique } from '../../test/factories.ts';
import { fetchFile, uploadAsStaff } from '../../test/files.ts';
import { openInviteDesk, someone } from '../../test/invites.ts';
import { type Deal, openMarket } from '../../test/market.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { sweepFiles } from '../features/media/new-objects.ts';
import { openInstallation } from '../installation.ts';
import { createLogger } from '../log.ts';
import { openStorage } from '../storage/open-storage.ts';
import { createBackup } from './create-backup.ts';
import type { Manifest } from './manifest.ts';
import { OBJECT_COLUMNS } from './object-keys.ts';
import { restoreBackup } from './restore-backup.ts';

const log = createLogger('silent');
const quietly = () => undefined;
const scratch = await mkdtemp(path.join(tmpdir(), 'stagedoor-backup-'));
const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
  await rm(scratch, { recursive: true });
});

const newFolder = () => path.join(scratch, unique('folder'));

/** An empty database of a user who may do nothing else, and a data directory that is not there yet. */
async function emptyPlace() {
  const { url, drop } = await createTestDatabase();
  const owner = `stagedoor_${randomBytes(6).toString('hex')}`;
  const databaseUrl = new URL(url);
  const [database, role] = [databaseUrl.pathname.slice(1), sql.id(owner)];
  databaseUrl.username = owner;
  databaseUrl.password = owner;
  await sql`create role ${role} login password ${sql.lit(owner)}`.execute(app.db.kysely);
  cleanups.push(async () => void (await sql`drop role ${role}`.execute(app.db.kysely)), drop);
  const db = openDatabase({ connectionString: url }, quietly);
  await sql`drop schema public, jobs cascade`.execute(db.kysely);
  await sql`alter database ${sql.id(database)} owner to ${role}`.execute(db.kysely);
  await sql`create schema public authorization pg_database_owner`.execute(db.kysely);
  await db.close();
  return { databaseUrl: databaseUrl.href, dataDir: newFolder(), s3: null };
}
type Place = Awaited<ReturnType<typeof emptyPlace>>;

/** Whether a restore left a place as it was. */
async function isUntouched({ databaseUrl, dataDir }: Place): Promise<boolean> {
  const db = openDatabase({ connectionString: databaseUrl }, quietly);
  const tables = await db.kysely.introspection.getTables();
  await db.close();
  return tables.length === 0 && (await readdir(dataDir).catch(() => [])).length === 0;
}

async function startOn(place: Place): Promise<TestApp> {
  const restored = await startTestApp({
    databaseUrl: place.databaseUrl,
    storage: await openStorage(place),
  });
  cleanups.push(() => restored.close());
  return restored;
}

/** Each table's rows as one hash, but for what stays behind. */
async function fingerprint(db: Database): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = 'public' and tablename not in ('sessions', 'login_codes', 'storage_garbage')
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

/** What the database forgets of its rules would let in what they forbid. */
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

let app: TestApp;
let market: Awaited<ReturnType<typeof openMarket>>;
let paid: Deal;
let locked: Deal;
let source: { db: Database; storage: TestApp['storage']; dataDir: string };
/** A whole backup that no test changes. */
let whole: string;
const invited = someone();

beforeAll(async () => {
  app = await startTestApp();
  cleanups.push(() => app.close());
  market = await openMarket(app);
  paid = await market.buildDeal();
  locked = await market.buildDeal();
  await app.platform.call(recordPurchase, { body: paid.sale });
  app.smtp.closed.set(invited, 451);
  await (await openInviteDesk(app)).invite([invited]);
  await until('the invitation was refused', async () => app.smtp.refused > 0);
  const dataDir = newFolder();
  await mkdir(path.join(dataDir, 'keys'), { recursive: true });
  await writeFile(path.join(dataDir, 'keys', 'media-urls'), 'the key of the links\n');
  await writeFile(path.join(dataDir, 'platform-key'), 'the key of the platform\n');
  source = { db: app.db, storage: app.storage, dataDir };
  whole = newFolder();
  await createBackup(source, whole, quietly);
});

/** A copy of the whole backup, with a manifest that was changed and signed anew. */
async function changed(change: (manifest: Manifest) => void): Promise<string> {
  const folder = await copyOfWhole();
  const file = path.join(folder, 'manifest.json');
  const manifest: Manifest = JSON.parse(await readFile(file, 'utf8'));
  change(manifest);
  const text = JSON.stringify(manifest);
  await writeFile(file, text);
  await writeFile(`${file}.sha256`, createHash('sha256').update(text).digest('hex'));
  return folder;
}

async function copyOfWhole(): Promise<string> {
  const folder = newFolder();
  await cp(whole, folder, { recursive: true });
  return folder;
}

test('a backup that is taken while sends go on is one moment: nothing confirmed before is missing, nothing is torn', async () => {
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

  const place = await emptyPlace();
  await restoreBackup(folder, place, log, quietly);
  const restored = await startOn(place);
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

test('every row, sequence, rule, waiting job, file and key comes back; staff sign in anew, and what was paid is open', async () => {
  const folder = newFolder();
  const expected = await fingerprint(app.db);
  await createBackup(source, folder, quietly);
  const place = await emptyPlace();
  await restoreBackup(folder, place, log, quietly);
  const db = openDatabase({ connectionString: place.databaseUrl }, quietly);
  expect(await fingerprint(db)).toEqual(expected);
  expect(await rulesOf(db)).toEqual(await rulesOf(app.db));
  await sql`update jobs.job set start_after = now()`.execute(db.kysely);
  await db.close();
  expect(await readFile(path.join(place.dataDir, 'keys', 'media-urls'), 'utf8')).toBe(
    'the key of the links\n',
  );

  const restored = await startOn(place);
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

test('a backup into the embedded database of another place, from which the next backup is the same', async () => {
  const dataDir = newFolder();
  const place = { dataDir, databaseUrl: null, s3: null };
  await restoreBackup(whole, place, log, quietly);
  const { db, close } = await openInstallation(place, log);
  const storage = await openStorage(place);
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

test('what is deleted while a backup is made is in it, and is swept away afterwards', async () => {
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

test('a damaged backup is refused, whatever of it is damaged, and leaves the place empty', async () => {
  const place = await emptyPlace();
  const refused = (folder: string) => expect(restoreBackup(folder, place, log, quietly)).rejects;
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
    await refused(longer).toThrow(/^The backup is damaged: .* is not what was written\.$/);
    const gone = await copyOfWhole();
    await rm(path.join(gone, part));
    await refused(gone).toThrow(/ is missing\.$|^.* is no backup, or one that was not finished/);
    const short = await copyOfWhole();
    const bytes = await readFile(path.join(short, part));
    await writeFile(path.join(short, part), bytes.subarray(0, bytes.length / 2));
    await refused(short).toThrow(/^The backup is damaged: .* is not what was written\.$/);
  }
  expect(await isUntouched(place)).toBe(true);
});

test('a backup of a newer version is refused', async () => {
  const place = await emptyPlace();
  const newer = [
    await changed((manifest) => Object.assign(manifest, { migration: '9999-later' })),
    await changed((manifest) => Object.assign(manifest, { format: 2, tables: 'elsewhere' })),
  ];
  for (const folder of newer) {
    await expect(restoreBackup(folder, place, log, quietly)).rejects.toThrow(
      /^The backup was made by a newer version/,
    );
  }
  expect(await isUntouched(place)).toBe(true);
});

test('a place where something is gets no restore, and a folder where something is no backup', async () => {
  const full = await emptyPlace();
  await restoreBackup(whole, full, log, quietly);
  const again = restoreBackup(whole, full, log, quietly);
  await expect(again).rejects.toThrow(/is not empty: set DATA_DIR/);
  const elsewhere = { ...full, dataDir: newFolder() };
  await expect(restoreBackup(whole, elsewhere, log, quietly)).rejects.toThrow(
    'The database is not empty: name one that is.',
  );
  expect(await readdir(elsewhere.dataDir)).toEqual([]);
  await expect(createBackup(source, whole, quietly)).rejects.toThrow(/is not empty/);
  const restored = await startOn(full);
  await restored.platform.call(recordPurchase, { body: paid.sale });
});

test('a restore that fails in the middle is taken back', async () => {
  const place = await emptyPlace();
  const unknown = await changed(({ tables }) => tables[0]?.columns.push('from_the_future'));
  await expect(restoreBackup(unknown, place, log, quietly)).rejects.toThrow(
    /^This version has no place for/,
  );
  expect(await isUntouched(place)).toBe(true);
  const short = await changed(({ tables }) => {
    for (const table of tables) table.rows += table.name === 'purchases' ? 1 : 0;
  });
  await expect(restoreBackup(short, place, log, quietly)).rejects.toThrow(
    /^Of 2 rows of purchases/,
  );
  expect(await isUntouched(place)).toBe(true);
  await restoreBackup(whole, place, log, quietly);
});

test('on what a killed restore left no server starts, and the next restore begins anew', async () => {
  const place = await emptyPlace();
  const db = openDatabase({ connectionString: place.databaseUrl }, quietly);
  await sql`create table restore_unfinished ()`.execute(db.kysely);
  await sql`create table messages (half text)`.execute(db.kysely);
  await db.close();
  await mkdir(path.join(place.dataDir, 'keys'), { recursive: true });
  await writeFile(path.join(place.dataDir, 'restore-unfinished'), '');
  await writeFile(path.join(place.dataDir, 'keys', 'media-urls'), 'half');
  await expect(openInstallation(place, log)).rejects.toThrow(
    'a restore into this database was not finished. Run npm run restore again.',
  );
  await restoreBackup(whole, place, log, quietly);
  expect((await readdir(place.dataDir)).toSorted()).toEqual(['files', 'keys', 'platform-key']);
  const { close } = await openInstallation(place, log);
  await close();
});

test('a file that is not in the storage is named, and the rest is backed up', async () => {
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
  await restoreBackup(folder, await emptyPlace(), log, quietly);
});

test('a backup that fails leaves nothing in its folder', async () => {
  const broken = new Error('the storage says no');
  const storage = { ...app.storage, get: () => Promise.reject(broken) };
  const folder = newFolder();
  await expect(createBackup({ ...source, storage }, folder, quietly)).rejects.toBe(broken);
  expect(await readdir(folder)).toEqual([]);
});

test('every column that names an object is known', async () => {
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
