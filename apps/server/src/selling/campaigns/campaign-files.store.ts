import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { FILE_COLUMNS, rowsOf } from '../../media/uploads.store.ts';

/** Inserts files that their owner can add to a campaign. */
export async function insertCampaignFiles(
  tx: Tx,
  ownerId: string,
  files: readonly StoredAttachment[],
): Promise<void> {
  await tx.insertInto('campaign_files').values(rowsOf(files, ownerId)).execute();
}

/**
 * Sets a campaign's files. Removed files are purged once they are a day old, unless they are added again.
 * @param ids UUIDs
 * @returns the campaign's files by id: files that it already had, or that the owner uploaded and no campaign used
 */
export async function takeCampaignFiles(
  tx: Tx,
  campaign: { readonly id: string; readonly ownerId: string },
  ids: readonly string[],
): Promise<Map<string, StoredAttachment>> {
  await tx
    .updateTable('campaign_files')
    .set({ campaign_id: null })
    .where('campaign_id', '=', campaign.id)
    .where(sql<boolean>`id <> all(${ids}::uuid[])`)
    .execute();
  const { rows } = await sql<Omit<StoredAttachment, 'product'>>`
    update campaign_files set campaign_id = ${campaign.id}
    where id = any(${ids}::uuid[])
      and (campaign_id = ${campaign.id} or campaign_id is null and owner_id = ${campaign.ownerId})
    returning ${sql.raw(FILE_COLUMNS)}`.execute(tx);
  return new Map(rows.map((row) => [row.id, { ...row, product: null }]));
}

/** Deletes files that are at least a day old and that no campaign uses. */
export async function purgeCampaignFiles(db: Database): Promise<void> {
  await db.kysely
    .deleteFrom('campaign_files')
    .where('campaign_id', 'is', null)
    .where('created_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}
