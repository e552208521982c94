import { type SavedView, VIEWS_MAX } from '@stagedoor/contract/inbox/views';
import { type Database, isUuid } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import { segmentNotFound } from '../../errors.ts';

const COLUMNS = [
  'id',
  'name',
  'filter',
  'sort',
  'tag',
  'search',
  'segment',
  'lost_segment',
] as const;

/** Returns an admin's views, oldest first. */
export function findViews(db: Database, adminId: string): Promise<SavedView[]> {
  return db.kysely
    .selectFrom('saved_views')
    .select(COLUMNS)
    .where('admin_id', '=', adminId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/**
 * Saves a view. Replaces the admin's view with the same name, ignoring case.
 * @returns null if the admin has reached the limit
 * @throws AppError 404 `segment_not_found`
 */
export function saveView(
  db: Database,
  adminId: string,
  view: Omit<SavedView, 'id' | 'lost_segment'>,
): Promise<SavedView | null> {
  return db.kysely.transaction().execute(async (tx) => {
    // Locking the admin's row serializes their saves.
    await tx.selectFrom('admins').select('id').where('id', '=', adminId).forNoKeyUpdate().execute();
    if (view.segment !== null && !(await lockSegment(tx, view.segment))) throw segmentNotFound();
    const held = await tx
      .selectFrom('saved_views')
      .select(['id', 'name'])
      .where('admin_id', '=', adminId)
      .execute();
    const same = held.find(({ name }) => name.toLowerCase() === view.name.toLowerCase());
    if (same) {
      return tx
        .updateTable('saved_views')
        .set({ ...view, lost_segment: null })
        .where('id', '=', same.id)
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
    }
    if (held.length >= VIEWS_MAX) return null;
    return tx
      .insertInto('saved_views')
      .values({ ...view, admin_id: adminId })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
  });
}

/** Keeps a segment from being deleted before the transaction ends. @returns whether it exists */
async function lockSegment(tx: Tx, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const segment = tx.selectFrom('segments').select('id').where('id', '=', id).forKeyShare();
  return (await segment.executeTakeFirst()) !== undefined;
}

/** Deletes an admin's view. @param id a UUID. @returns whether it existed */
export async function deleteView(db: Database, adminId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('saved_views')
    .where('id', '=', id)
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteViewsOf(tx: Tx, adminId: string): Promise<void> {
  await tx.deleteFrom('saved_views').where('admin_id', '=', adminId).execute();
}

/** Removes a deleted segment from all views that filter by it. They keep its name for display. */
export async function dropSegment(tx: Tx, id: string, name: string): Promise<void> {
  await tx
    .updateTable('saved_views')
    .set({ segment: null, lost_segment: name })
    .where('segment', '=', id)
    .execute();
}
