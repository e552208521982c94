import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import type { ObjectStorage } from '../../storage/storage.ts';

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
  /** To be called in the transaction in which rows come to name the objects: until it is committed, they are garbage. */
  keep(tx: Transaction<Tables>): Promise<void>;
}

/** Longer than any request can take. */
const UNCLAIMED = sql<Date>`now() + interval '1 day'`;

/**
 * Lets `work` store objects. When it fails, they are deleted at once; when the process dies, by a sweep. Each is noted as
 * garbage before its first byte is written.
 */
export async function withNewObjects<T>(
  { db, storage }: FileStores,
  work: (objects: NewObjects) => Promise<T>,
): Promise<T> {
  const keys: string[] = [];
  try {
    return await work({
      async put(folder, body, contentType) {
        const key = `${folder}/${randomBytes(32).toString('base64url')}`;
        await db.kysely
          .insertInto('storage_garbage')
          .values({ storage_key: key, delete_after: UNCLAIMED })
          .execute();
        keys.push(key);
        return { key, size: await storage.put(key, body, { contentType }) };
      },
      keep: (tx) => strikeOut(tx, keys),
    });
  } catch (error) {
    await discard({ db, storage }, keys);
    throw error;
  }
}

/** How many objects one sweep deletes at most; the next takes up where it stopped. */
const SWEEP_MAX = 1_000;

/** Deletes what nothing names any more, and uploads that no message took within a day. */
export async function sweepFiles({ db, storage }: FileStores): Promise<void> {
  await db.kysely
    .deleteFrom('uploads')
    .where('message_id', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
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

/** The object first: should it fail, the note is still there for the next sweep. */
async function discard({ db, storage }: FileStores, keys: readonly string[]): Promise<void> {
  for (const key of keys) await storage.delete(key);
  await strikeOut(db.kysely, keys);
}

async function strikeOut(db: Kysely<Tables>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db.deleteFrom('storage_garbage').where('storage_key', 'in', keys).execute();
}
