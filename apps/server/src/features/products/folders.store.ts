import type { Folder } from '@stagedoor/contract/products';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';

/** What is listed at most. */
const FOLDERS_MAX = 1_000;

const COLUMNS = ['id', 'name', 'description'] as const;

/** The catalogue's folders, by name whatever its case. */
export function listFolders(db: Database): Promise<Folder[]> {
  return db.kysely
    .selectFrom('folders')
    .select(COLUMNS)
    .orderBy((eb) => eb.fn<string>('lower', ['name']))
    .orderBy('id')
    .limit(FOLDERS_MAX)
    .execute();
}

export function insertFolder(
  db: Database,
  adminId: string,
  folder: Omit<Folder, 'id'>,
): Promise<Folder> {
  return db.kysely.transaction().execute(async (tx) => {
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
}

/** @param change a description that is undefined stays. @returns null when there is no such folder */
export function updateFolder(
  db: Database,
  adminId: string,
  id: string,
  change: { readonly name: string; readonly description?: string | null | undefined },
): Promise<Folder | null> {
  return db.kysely.transaction().execute(async (tx) => {
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
}

/** Deletes a folder; its products are in none then. @returns whether there was one */
export function deleteFolder(db: Database, adminId: string, id: string): Promise<boolean> {
  return db.kysely.transaction().execute(async (tx) => {
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
