import type { CreatorProfile } from '@stagedoor/contract/team/creator';
import { type Kysely, sql } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { queueEvent } from '../../db/outbox-events.ts';
import type { Row, Tables } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';
import type { NewObjects } from '../../media/new-objects.ts';
import { avatarPath } from './serve-avatars.ts';

type CreatorRow = Row<'creators', 'id' | 'display_name' | 'avatar_key'>;

/** Returns the only creator. */
export function findCreator(db: Kysely<Tables>): Promise<CreatorRow> {
  return db
    .selectFrom('creators')
    .select(['id', 'display_name', 'avatar_key'])
    .executeTakeFirstOrThrow();
}

/** Returns the creator as fans see them. @param publicUrl the base of the picture's URL; null for a relative path */
export const presentCreator = (row: CreatorRow, publicUrl: string | null): CreatorProfile => ({
  id: row.id,
  display_name: row.display_name,
  avatar_url: row.avatar_key === null ? null : avatarUrl(row.avatar_key, publicUrl),
});

export const avatarUrl = (key: string, publicUrl: string | null): string =>
  `${publicUrl ?? ''}${avatarPath(key)}`;

/** Creates the creator at the first start. Later starts only apply a changed name and queue the webhook event. */
export async function ensureCreator(db: Database, displayName: string): Promise<void> {
  await db.kysely.transaction().execute(async (tx) => {
    const renamed = await tx
      .updateTable('creators')
      .set({ display_name: displayName })
      .where('display_name', '<>', displayName)
      .returning('id')
      .executeTakeFirst();
    if (renamed !== undefined) {
      await queueWebhook(tx, { type: 'creator.updated', conversationId: null, ref: {} });
    }
    await tx
      .insertInto('creators')
      .values({ display_name: displayName })
      .onConflict((conflict) => conflict.column('singleton').doNothing())
      .execute();
  });
}

/** Records who uploaded a stored picture. */
export async function insertAvatarUpload(
  db: Database,
  objects: NewObjects,
  upload: { readonly key: string; readonly adminId: string },
): Promise<void> {
  await db.kysely.transaction().execute(async (tx) => {
    await tx
      .insertInto('avatar_uploads')
      .values({ storage_key: upload.key, admin_id: upload.adminId })
      .execute();
    await objects.keep(tx);
  });
}

/**
 * Sets a picture uploaded by the admin as the creator's and deletes the previous one.
 * @returns the creator, and the event's outbox id if anything changed; null if the admin didn't upload the picture
 */
export function linkAvatar(
  db: Database,
  adminId: string,
  key: string,
): Promise<{ creator: CreatorRow; outboxId: number | null } | null> {
  return db.kysely.transaction().execute(async (tx) => {
    const upload = await tx
      .updateTable('avatar_uploads')
      .set({ linked_at: sql<Date>`now()` })
      .where('storage_key', '=', key)
      .where('admin_id', '=', adminId)
      .returning('storage_key')
      .executeTakeFirst();
    if (upload === undefined) return null;
    const before = await tx
      .selectFrom('creators')
      .select(['id', 'avatar_key'])
      .forUpdate()
      .executeTakeFirstOrThrow();
    // A retry after a lost response.
    if (before.avatar_key === key) return { creator: await findCreator(tx), outboxId: null };
    await tx.updateTable('creators').set({ avatar_key: key }).execute();
    if (before.avatar_key !== null) {
      await tx.deleteFrom('avatar_uploads').where('storage_key', '=', before.avatar_key).execute();
    }
    await writeAudit(tx, { adminId, action: 'creator.update_avatar', targetId: before.id });
    await queueWebhook(tx, { type: 'creator.updated', conversationId: null, ref: {} });
    const outboxId = await queueEvent(tx, 'creator_updated', {});
    return { creator: await findCreator(tx), outboxId };
  });
}

/** Purges uploads not used as the creator's picture within a day. The file sweep then deletes their files. */
export async function dropUnusedAvatars(db: Database): Promise<void> {
  await db.kysely
    .deleteFrom('avatar_uploads')
    .where('linked_at', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}
