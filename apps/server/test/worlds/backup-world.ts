import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { subscribeToPush } from '@stagedoor/contract/team/notifications';
import { sql } from 'kysely';
import { createBackup } from '../../src/backup/create-backup.ts';
import type { Manifest } from '../../src/backup/manifest.ts';
import { openDatabase } from '../../src/db/database.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { createTestDatabase } from '../database.ts';
import { unique } from '../factories.ts';
import { startPushService } from '../servers/push-service.ts';
import { startTestApp, type TestApp } from '../test-app.ts';
import { until } from '../until.ts';
import { openInviteDesk, someone } from './invites.ts';
import { openMarket } from './market.ts';

/** Ignores progress messages. */
export const quietly = () => undefined;

/** An empty target for a restore. */
export interface EmptyTarget {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly s3: null;
}

/**
 * Opens an installation with a sold and an unsold picture, an undelivered invitation and a browser subscribed to pushes, with a
 * backup of it and targets to restore to.
 */
export async function openBackupWorld() {
  const scratch = await mkdtemp(path.join(tmpdir(), 'stagedoor-backup-'));
  const cleanups: (() => Promise<void>)[] = [];
  const newFolder = () => path.join(scratch, unique('folder'));
  const invited = someone();
  const service = await startPushService();
  cleanups.push(() => service.close());
  const app = await startTestApp({ push: { rules: { allowLoopback: true } } });
  cleanups.push(() => app.close());
  const market = await openMarket(app);
  await market.manager.client.call(subscribeToPush, { body: service.browser().subscription });
  const paid = await market.buildDeal();
  const locked = await market.buildDeal();
  await app.platform.call(recordPurchase, { body: paid.sale });
  app.smtp.closed.set(invited, 451);
  await (await openInviteDesk(app)).invite([invited]);
  await until('the invitation was refused', async () => app.smtp.refused > 0);
  const dataDir = newFolder();
  await mkdir(path.join(dataDir, 'keys'), { recursive: true });
  await writeFile(path.join(dataDir, 'keys', 'media-urls'), 'the key of the links\n');
  await writeFile(path.join(dataDir, 'platform-key'), 'the key of the platform\n');
  const source = { db: app.db, storage: app.storage, dataDir };
  const whole = newFolder();
  await createBackup(source, whole, quietly);

  /** Creates an empty database, owned by a user without other rights, and a path for a data directory. */
  async function emptyTarget(): Promise<EmptyTarget> {
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

  /** Copies the backup, with a changed manifest and a new checksum. */
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

  return {
    app,
    market,
    /** Bought by its fan. */
    paid,
    /** Not bought. */
    locked,
    /** The address of the undelivered invitation: the email server refused it. */
    invited,
    source,
    /** A complete backup; tests must not change it. */
    whole,
    newFolder,
    emptyTarget,
    changed,
    copyOfWhole,

    async startOn(target: EmptyTarget): Promise<TestApp> {
      const restored = await startTestApp({
        databaseUrl: target.databaseUrl,
        storage: await openStorage(target),
      });
      cleanups.push(() => restored.close());
      return restored;
    },

    async close() {
      for (const cleanup of cleanups.toReversed()) await cleanup();
      await rm(scratch, { recursive: true });
    },
  };
}

/** Checks whether a restore left its target empty. */
export async function isUntouched({ databaseUrl, dataDir }: EmptyTarget): Promise<boolean> {
  const db = openDatabase({ connectionString: databaseUrl }, quietly);
  const tables = await db.kysely.introspection.getTables();
  await db.close();
  return tables.length === 0 && (await readdir(dataDir).catch(() => [])).length === 0;
}
