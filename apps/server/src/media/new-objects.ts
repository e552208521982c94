import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Kysely, sql } from 'kysely';
import { type Database, isDiskFull } from '../db/database.ts';
import { mayDeleteObjects } from '../db/objects-lock.ts';
import type { Tables, Tx } from '../db/tables.ts';
import { storageFull } from '../errors.ts';
import type { ObjectStorage } from '../storage/storage.ts';

/** The stores that every upload needs: the database for its rows and the storage for its bytes. */
export interface FileStores {
  readonly db: Database;
  readonly storage: ObjectStorage;
}

/** Objects that no row references yet. */
export interface NewObjects {
  /** Stores an object under a new random key in a folder. */
  put(
    folder: 'uploads' | 'products' | 'avatars',
    body: Readable | Buffer,
    contentType: string,
  ): Promise<{ key: string; size: number }>;
  /**
   * Gives an object a second key in a folder, under which it remains when the first key is deleted.
   * @returns null if the object no longer exists
   */
  copy(folder: 'uploads', key: string): Promise<string | null>;
  /** Must be called in the transaction whose rows reference the objects: until it commits, they are garbage. */
  keep(tx: Tx): Promise<void>;
}

/** When an object that was never kept may be deleted: after longer than any request can take. */
const UNCLAIMED = sql<Date>`now() + interval '1 day'`;

/**
 * Runs `work`, which can store objects. If `work` fails, the objects are deleted immediately; if the process dies, a sweep deletes
 * them. Each object is recorded as garbage before its first byte is written.
 * @throws AppError 507 `storage_full`, also if the database's disk is full, and whatever `work` throws
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
      keep: (tx) => keepObjects(tx, keys),
    });
  } catch (error) {
    // If this fails too, a sweep deletes the objects; the original error is what matters to the sender.
    await discard({ db, storage }, keys).catch(() => undefined);
    throw isDiskFull(error) ? storageFull() : error;
  }
}

/** The number of objects read at a time. */
const SWEEP_BATCH = 100;

/**
 * Deletes uploads that are a day old and in no message, and the objects that no row refers to. If one can't be deleted, the others
 * still are. Other processes may do the same at the same time.
 * @param withinMs how long to go on, in milliseconds; the next sweep continues
 * @throws the first error
 */
export async function sweepFiles(
  stores: FileStores,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { kysely } = stores.db;
  const end = performance.now() + withinMs;
  await kysely
    .deleteFrom('uploads')
    .where('message_id', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
  const failures: unknown[] = [];
  let after = '';
  for (let full = true; full && performance.now() < end; ) {
    const garbage = await kysely
      .selectFrom('storage_garbage')
      .select('storage_key')
      .where('delete_after', '<', sql<Date>`now()`)
      .where('storage_key', '>', after)
      .orderBy('storage_key')
      .limit(SWEEP_BATCH)
      .execute();
    const keys = garbage.map((row) => row.storage_key);
    await discard(stores, keys, end).catch((error) => failures.push(error));
    after = keys.at(-1) ?? after;
    full = keys.length === SWEEP_BATCH;
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Deletes objects that are garbage. If one can't be deleted, the others still are.
 * @param end when to stop, a time of `performance.now()`
 * @throws the first error
 */
async function discard(
  stores: FileStores,
  keys: readonly string[],
  end = Number.POSITIVE_INFINITY,
): Promise<void> {
  const failures: unknown[] = [];
  for (const key of keys) {
    if (performance.now() >= end) break;
    await discardOne(stores, key).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Deletes an object if it is still recorded as garbage. If the response to a commit was lost, the commit may have succeeded, and a
 * row may reference the object. The row lock waits for such a commit; afterwards no row can reference the object. The object is
 * deleted outside the transaction, because a bucket may be slow, and before its garbage record, so that the next sweep retries a
 * failure.
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
  await keepObjects(db.kysely, [key]);
}

async function keepObjects(db: Kysely<Tables>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.deleteFrom('storage_garbage').where('storage_key', 'in', keys).execute();
}
