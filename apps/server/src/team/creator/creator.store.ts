import type { CreatorProfile } from '@stagedoor/contract/team/creator';
import { type Kysely, sql } from 'kysely';
import { type AuditedAct, writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { queueEvent } from '../../db/outbox-events.ts';
import type { Row, Tables, Tx } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';
import type { NewObjects } from '../../media/new-objects.ts';
import type { ChangeShared, Share } from '../../realtime/shared-updates.ts';
import { avatarPath } from './serve-avatars.ts';

type CreatorRow = Row<'creators', 'id' | 'display_name' | 'avatar_key'>;

const selectCreator = (db: Kysely<Tables>) =>
  db.selectFrom('creators').select(['id', 'display_name', 'avatar_key']);

export const findCreator = (db: Kysely<Tables>): Promise<CreatorRow> =>
  selectCreator(db).executeTakeFirstOrThrow();

/** Returns the creator as fans see them. @param publicUrl the base of the picture's URL; null for a relative path */
export const presentCreator = (row: CreatorRow, publicUrl: string | null): CreatorProfile => ({
  id: row.id,
  display_name: row.display_name,
  avatar_url: row.avatar_key === null ? null : avatarUrl(row.avatar_key, publicUrl),
});

export const avatarUrl = (key: string, publicUrl: string | null): string =>
  `${publicUrl ?? ''}${avatarPath(key)}`;

/**
 * Creates the creator at the first start. Later starts change the name only if the name in the settings has changed, so that a
 * name set in the console stays.
 */
export async function ensureCreator(db: Database, name: string): Promise<void> {
  await db.kysely.transaction().execute(async (tx) => {
    const renamed = await tx
      .updateTable('creators')
      .set({ display_name: name, configured_name: name })
      .where('configured_name', 'is distinct from', name)
      .returning('id')
      .executeTakeFirst();
    if (renamed !== undefined) {
      await queueWebhook(tx, { type: 'creator.updated', conversationId: null, ref: {} });
    }
    await tx
      .insertInto('creators')
      .values({ display_name: name, configured_name: name })
      .onConflict((conflict) => conflict.column('singleton').doNothing())
      .execute();
  });
}

/** The creator, and the outbox id of the change's event; null if nothing changed. */
export interface CreatorChange {
  readonly creator: CreatorRow;
  readonly outboxId: number | null;
}

const unchanged = (creator: CreatorRow): CreatorChange => ({ creator, outboxId: null });

/** Records a change: in the audit log, and as events for the platform, fans and staff. */
async function recordChange(
  tx: Tx,
  share: Share,
  act: Omit<AuditedAct, 'targetId'>,
): Promise<CreatorChange> {
  const creator = await findCreator(tx);
  await writeAudit(tx, { ...act, targetId: creator.id });
  await queueWebhook(tx, { type: 'creator.updated', conversationId: null, ref: {} });
  const outboxId = await queueEvent(tx, 'creator_updated', {});
  await share({ what: 'creator' });
  return { creator, outboxId };
}

const lockCreator = (tx: Tx): Promise<CreatorRow> =>
  selectCreator(tx).forNoKeyUpdate().executeTakeFirstOrThrow();

export function renameCreator(
  changeShared: ChangeShared,
  adminId: string,
  name: string,
): Promise<CreatorChange> {
  return changeShared(async (tx, share) => {
    const before = await lockCreator(tx);
    if (before.display_name === name) return unchanged(before);
    await tx.updateTable('creators').set({ display_name: name }).execute();
    const details = { from: before.display_name, to: name };
    return recordChange(tx, share, { adminId, action: 'creator.update_name', details });
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
 * Sets the creator's picture to an upload of this admin and deletes the previous picture.
 * @returns null if the admin didn't upload the picture
 */
export function linkAvatar(
  changeShared: ChangeShared,
  adminId: string,
  key: string,
): Promise<CreatorChange | null> {
  return changeShared(async (tx, share) => {
    // Locked first: changes that lock two uploads in different orders could deadlock.
    const before = await lockCreator(tx);
    const upload = await tx
      .updateTable('avatar_uploads')
      .set({ linked_at: sql<Date>`now()` })
      .where('storage_key', '=', key)
      .where('admin_id', '=', adminId)
      .returning('storage_key')
      .executeTakeFirst();
    if (upload === undefined) return null;
    // A retry after a lost response.
    if (before.avatar_key === key) return unchanged(before);
    await tx.updateTable('creators').set({ avatar_key: key }).execute();
    if (before.avatar_key !== null) {
      await tx.deleteFrom('avatar_uploads').where('storage_key', '=', before.avatar_key).execute();
    }
    return recordChange(tx, share, { adminId, action: 'creator.update_avatar' });
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
