import type { Folder } from '@stagedoor/contract/selling/products';
import { sql } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import { type Database, violates } from '../../db/database.ts';
import { folderExists } from '../../errors.ts';

/** The maximum number of folders listed. */
const FOLDERS_MAX = 1_000;

const COLUMNS = ['id', 'name', 'description'] as const;

/** Returns the catalog's folders, sorted by name without regard to case. */
export function listFolders(db: Database): Promise<Folder[]> {
  return db.kysely
    .selectFrom('folders')
    .select(COLUMNS)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .limit(FOLDERS_MAX)
    .execute();
}

/** @throws AppError 409 `folder_exists` */
export function insertFolder(
  db: Database,
  adminId: string,
  folder: Omit<Folder, 'id'>,
): Promise<Folder> {
  const work = db.kysely.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('folders')
      .values(folder)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await writeAudit(tx, {
      adminId,
      action: 'folder.create',
      targetId: row.id,
      details: { name: row.name },
    });
    return row;
  });
  return orFolderExists(work);
}

/**
 * @param change an undefined description stays as it is
 * @returns null if there is no such folder
 * @throws AppError 409 `folder_exists`
 */
export function updateFolder(
  db: Database,
  adminId: string,
  id: string,
  change: { readonly name: string; readonly description?: string | null | undefined },
): Promise<Folder | null> {
  const work = db.kysely.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('folders')
      .set(change)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirst();
    if (row === undefined) return null;
    await writeAudit(tx, { adminId, action: 'folder.update', targetId: id, details: change });
    return row;
  });
  return orFolderExists(work);
}

/** Deletes a folder; its products stay, without a folder. @returns whether there was one */
export function deleteFolder(db: Database, adminId: string, id: string): Promise<boolean> {
  return db.kysely.transaction().execute(async (tx) => {
    // Keeps other products out of the folder.
    await sql`select from folders where id = ${id} for update`.execute(tx);
    // Lock in id order, as sends do when they count products, to avoid deadlocks.
    await sql`select id from products where folder_id = ${id} order by id for no key update`.execute(
      tx,
    );
    const row = await tx
      .deleteFrom('folders')
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst();
    if (row === undefined) return false;
    await writeAudit(tx, { adminId, action: 'folder.delete', targetId: id, details: row });
    return true;
  });
}

async function orFolderExists<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    // The index decides between concurrent requests, because a lookup could race.
    if (violates(error, 'folders_name')) throw folderExists();
    throw error;
  }
}
