import { sql } from 'kysely';
import type { Database, Statement } from '../db/database.ts';
import { isoText } from '../db/iso-text.ts';
import type { Tx } from '../db/tables.ts';
import type { FanTarget } from './media-links.ts';
import type { AttachmentRecord } from './present-attachment.ts';
import type { StoredAttachment } from './stored-attachment.ts';

/** An upload's target: a conversation, and the admin or fan who may send the upload in it. */
export interface UploadTarget {
  readonly conversationId: string;
  readonly ownerId: string;
}

/** Returns files as rows of a table with the columns of `uploads`. */
export const rowsOf = (files: readonly StoredAttachment[], ownerId: string) =>
  files.map(({ key, product: _never, ...file }) => ({
    ...file,
    storage_key: key,
    owner_id: ownerId,
  }));

export async function insertUploads(
  tx: Tx,
  { conversationId, ownerId }: UploadTarget,
  files: readonly StoredAttachment[],
): Promise<void> {
  const rows = rowsOf(files, ownerId);
  await tx
    .insertInto('uploads')
    .values(rows.map((row) => ({ ...row, conversation_id: conversationId })))
    .execute();
}

export async function deleteUploadsOf(
  tx: Tx,
  messages: readonly { readonly id: string; readonly conversation_id: string }[],
): Promise<void> {
  await sql`delete from uploads u
    using jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as gone (id uuid, conversation_id uuid)
    where u.conversation_id = gone.conversation_id and u.message_id = gone.id`.execute(tx);
}

/**
 * Returns SQL that keeps unused uploads longer: sets their creation time to `until`, so that the sweep deletes them no earlier
 * than a day after `until`.
 */
export const extendUploads = (until: string, which: string) =>
  `update uploads set created_at = ${until} where message_id is null and ${which}`;

/** Returns the bytes that an owner has uploaded to a conversation in the last 24 hours, sent or not. */
export async function sumUploads(db: Database, target: UploadTarget): Promise<number> {
  const [row] = await db.run<{ bytes: number }>(
    {
      name: 'media_sum_uploads',
      text: `select coalesce(sum(size), 0)::bigint as bytes from uploads
        where conversation_id = $1 and owner_id = $2 and created_at > now() - interval '24 hours'`,
    },
    [target.conversationId, target.ownerId],
  );
  return row?.bytes ?? 0;
}

/** SQL for the columns of a {@link StoredAttachment}, for any table laid out like `uploads`. */
export const FILE_COLUMNS =
  'id, type, storage_key as key, thumbnail_key, filename, size, mime_type, width, height';

const waitingStatement: Statement = {
  name: 'media_waiting_uploads',
  text: `select ${FILE_COLUMNS} from uploads
    where id = any($1::uuid[]) and conversation_id = $2 and owner_id = $3 and message_id is null`,
};

/**
 * Finds uploads that a message can use.
 * @param ids UUIDs
 * @returns by id, the uploads that belong to this owner and conversation and are in no message yet
 */
export async function findWaitingUploads(
  db: Database,
  target: UploadTarget,
  ids: readonly string[],
): Promise<Map<string, StoredAttachment>> {
  const rows = await db.run<Omit<StoredAttachment, 'product'>>(waitingStatement, [
    ids,
    target.conversationId,
    target.ownerId,
  ]);
  return new Map(rows.map((row) => [row.id, { ...row, product: null }]));
}

const sentToFanStatement: Statement = {
  name: 'media_sent_to_fan',
  text: `select a.value as attachment, exists (
      select from owned_products o where o.fan_id = $1 and o.product_id = (a.value->'product'->>'id')::uuid
    ) as bought
    from messages m join conversations c on c.id = m.conversation_id, jsonb_array_elements(m.attachments) a
    where m.id = $2 and c.fan_id = $1 and a.value->>'id' = $3::text`,
};

const uploadOfFanStatement: Statement = {
  name: 'media_upload_of_fan',
  text: `select ${FILE_COLUMNS} from uploads where id = $1 and owner_id = $2`,
};

/**
 * Finds an attachment that a fan received or uploaded, and whether they own its product; null if it is not theirs or no longer
 * exists.
 */
export async function findForFan(
  db: Database,
  { fanId, messageId, attachmentId }: FanTarget,
): Promise<{ attachment: StoredAttachment; bought: boolean } | null> {
  if (messageId === null) {
    const [row] = await db.run<Omit<StoredAttachment, 'product'>>(uploadOfFanStatement, [
      attachmentId,
      fanId,
    ]);
    return row ? { attachment: { ...row, product: null }, bought: false } : null;
  }
  const [row] = await db.run<{ attachment: StoredAttachment; bought: boolean }>(
    sentToFanStatement,
    [fanId, messageId, attachmentId],
  );
  return row ?? null;
}

/** Returns SQL for a JSON object that maps the ids of a message's products to their purchase times; null if the fan owns none. */
export const purchasesOf = (message: string) => `(
  select jsonb_object_agg(o.product_id, ${isoText('o.purchased_at')})
  from jsonb_array_elements(${message}.attachments) a
  join conversations oc on oc.id = ${message}.conversation_id
  join owned_products o on o.fan_id = oc.fan_id and o.product_id = (a->'product'->>'id')::uuid)`;

/** Adds the result of {@link purchasesOf} to the attachments. */
export function withPurchases(
  attachments: readonly StoredAttachment[],
  purchases: Readonly<Record<string, string>> | null,
): AttachmentRecord[] {
  return attachments.map((attachment) => ({
    ...attachment,
    purchased_at: (attachment.product && purchases?.[attachment.product.id]) ?? null,
  }));
}
