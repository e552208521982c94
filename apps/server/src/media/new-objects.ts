import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Database, isDiskFull } from '../db/database.ts';
import { mayDeleteObjects } from '../db/objects-lock.ts';
import type { Tables } from '../db/tables.ts';
import { storageFull } from '../errors.ts';
import type { ObjectStorage } from '../storage/storage.ts';

/** What files need wherever they are taken in: a database that names them and a place for their bytes. */
export interface FileStores {
  readonly db: Database;
  readonly storage: ObjectStorage;
}

/** Objects that no row names yet. */
export interface NewObjects {
  /** Stores an object under a new random key in a folder. */
  put(
    folder: 'uploads' | 'products' | 'avatars',
    body: Readable | Buffer,
    contentType: string,
  ): Promise<{ key: string; size: number }>;
  /**
   * Gives an object a new key in a folder, by which it outlives the one that it has.
   * @returns null where there is no such object any more
   */
  copy(folder: 'uploads', key: string): Promise<string | null>;
  /** To be called in the transaction in which rows come to name the objects: until it is committed, they are garbage. */
  keep(tx: Transaction<Tables>): Promise<void>;
}

/** Longer than any request can take. */
const UNCLAIMED = sql<Date>`now() + interval '1 day'`;

/**
 * Lets `work` store objects. When it fails, they are deleted at once; when the process dies, by a sweep. Each is noted as
 * garbage before its first byte is written.
 * @throws AppError 507 `storage_full` also for a full disk of the database's, and whatever `work` throws
 */
export async function withNewObjects<T>(
  { db, storage }: FileStores,
  work: (objects: NewObjects) => Promise<T>,
): Promise<T> {
  const keys: string[] = [];
  const newKey = async (folder: string) => {
    const key = `${folder}/${randomBytes(32).toString('base64url')}`;
    await db.kysely
      .insertInto('storage_garbage')
      .values({ storage_key: key, delete_after: UNCLAIMED })
      .execute();
    keys.push(key);
    return key;
  };
  try {
    return await work({
      async put(folder, body, contentType) {
        const key = await newKey(folder);
        return { key, size: await storage.put(key, body, { contentType }) };
      },
      async copy(folder, from) {
        const key = await newKey(folder);
        return (await storage.copy(from, key)) ? key : null;
      },
      keep: (tx) => strikeOut(tx, keys),
    });
  } catch (error) {
    // Should that fail too, a sweep does it: what matters to the sender is what went wrong first.
    await discard({ db, storage }, keys).catch(() => undefined);
    throw isDiskFull(error) ? storageFull() : error;
  }
}

/** How many objects one sweep deletes at most; the next takes up where it stopped. */
const SWEEP_MAX = 1_000;

/**
 * Deletes what nothing names any more: uploads that no message and no template took, and deleted products that were never sent,
 * after a day.
 */
export async function sweepFiles({ db, storage }: FileStores): Promise<void> {
  await db.kysely
    .deleteFrom('uploads')
    .where('message_id', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  await db.kysely
    .deleteFrom('template_files')
    .where('template_id', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  // What was sent or sold keeps its row for good. Within a day nobody can still be sending what they read before it was
  // deleted.
  await db.kysely
    .deleteFrom('products as p')
    .where('p.deleted_at', '<', sql<Date>`now() - interval '1 day'`)
    .where('p.times_sent', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('product_sends').whereRef('product_id', '=', 'p.id').select('product_id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('purchases').whereRef('product_id', '=', 'p.id').select('product_id'))),
    )
    .execute();
  const garbage = await db.kysely
    .selectFrom('storage_garbage')
    .select('storage_key')
    .where('delete_after', '<', sql<Date>`now()`)
    .limit(SWEEP_MAX)
    .execute();
  await discard(
    { db, storage },
    garbage.map((row) => row.storage_key),
  );
}

/**
 * Deletes objects that are garbage. One that can't be deleted does not keep the others.
 * @throws the first of what went wrong
 */
async function discard(stores: FileStores, keys: readonly string[]): Promise<void> {
  const failures: unknown[] = [];
  for (const key of keys) await discardOne(stores, key).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Deletes an object that is still noted: when the answer to a commit was lost, the commit may have come to pass, and then a row
 * names the object. The lock waits for such a commit; nothing comes to name the object later. The object goes outside of the
 * transaction, as a bucket may take its time, and before its note: should that fail, the next sweep finds it.
 */
async function discardOne({ db, storage }: FileStores, key: string): Promise<void> {
  const isGarbage = await db.kysely.transaction().execute(async (tx) => {
    const note = await tx
      .selectFrom('storage_garbage')
      .select('storage_key')
      .where('storage_key', '=', key)
      .forUpdate()
      .executeTakeFirst();
    return note !== undefined && (await mayDeleteObjects(tx));
  });
  if (!isGarbage) return;
  await storage.delete(key);
  await strikeOut(db.kysely, [key]);
}

async function strikeOut(db: Kysely<Tables>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.deleteFrom('storage_garbage').where('storage_key', 'in', keys).execute();
}
