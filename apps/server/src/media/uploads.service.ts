import { ATTACHMENTS_MAX, type FanVisibleAttachment } from '@stagedoor/contract/media';
import { violates } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import type { Tx } from '../db/tables.ts';
import { AppError, conversationNotFound, invalidField, invalidRequest } from '../errors.ts';
import { type FieldPart, tooManyFiles, type Upload } from '../http/multipart.ts';
import type { Worker } from './fair-turns.ts';
import type { MediaLinks } from './media-links.ts';
import { type FileStores, type NewObjects, withNewObjects } from './new-objects.ts';
import type { UploadStores } from './pictures.ts';
import { attachmentForFan } from './present-attachment.ts';
import { storeFile } from './store-file.ts';
import type { StoredAttachment } from './stored-attachment.ts';
import { insertUploads, type UploadTarget } from './uploads.store.ts';

/** Inserts the rows that reference the stored files. */
type Name = (tx: Tx, files: readonly StoredAttachment[]) => Promise<void>;

/**
 * Stores an upload's `files`: all of them, or none.
 * @param by the sender
 * @param target the upload's target, a function that reads it from a field, or `insert` for rows in another table
 * @param maxBytes limit for all files together
 * @throws AppError 400 `invalid_request`, `invalid_file`; 413 `payload_too_large`; 503 `unavailable`; 507 `storage_full`;
 * whatever `target` throws
 */
export function receiveFiles(
  stores: UploadStores,
  parts: Upload,
  by: Worker,
  target: UploadTarget | ((field: FieldPart) => Promise<UploadTarget>) | { readonly insert: Name },
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<StoredAttachment[]> {
  return withNewObjects(stores, async (objects) => {
    const sender = { by, signal: parts.signal };
    let known = typeof target === 'function' ? null : target;
    const files: StoredAttachment[] = [];
    for await (const part of parts) {
      if (part.kind === 'field') {
        if (typeof target !== 'function' || known !== null) throw unknownField(part.name);
        known = await target(part);
      } else {
        if (part.name !== 'files') throw unknownField(part.name);
        if (files.length === ATTACHMENTS_MAX) throw tooManyFiles();
        files.push(await storeFile(objects, stores.pictures, sender, part));
        if (files.reduce((bytes, { size }) => bytes + size, 0) > maxBytes) throw tooMuch();
      }
    }
    if (known === null) throw noTarget();
    const owner = known;
    const insert: Name = 'insert' in owner ? owner.insert : (tx) => insertUploads(tx, owner, files);
    await keep(stores, objects, requireFiles(files), insert);
    return files;
  });
}

/**
 * Copies a file, such as a template's, to a new upload. Deleting one doesn't affect the other.
 * @returns null if the file no longer exists
 * @throws AppError 404 `conversation_not_found`, 507 `storage_full`
 */
export function copyToUpload(
  stores: FileStores,
  file: StoredAttachment,
  target: UploadTarget,
): Promise<StoredAttachment | null> {
  return withNewObjects(stores, async (objects) => {
    const key = await objects.copy('uploads', file.key);
    const thumbnail_key = file.thumbnail_key && (await objects.copy('uploads', file.thumbnail_key));
    if (key === null || (thumbnail_key === null && file.thumbnail_key !== null)) return null;
    const copy = { ...file, id: newId(), key, thumbnail_key };
    await keep(stores, objects, [copy], (tx, files) => insertUploads(tx, target, files));
    return copy;
  });
}

async function keep(
  { db }: FileStores,
  objects: NewObjects,
  files: readonly StoredAttachment[],
  name: Name,
): Promise<void> {
  const store = db.kysely.transaction().execute(async (tx) => {
    await name(tx, files);
    await objects.keep(tx);
  });
  await store.catch((error: unknown) => {
    // The fan was erased while the files arrived.
    if (violates(error, 'uploads_conversation_id_fkey')) throw conversationNotFound();
    throw error;
  });
}

/** Stores the files of a fan's own message like {@link receiveFiles}. @returns the files as the fan sees them */
export async function receiveFanFiles(
  stores: UploadStores,
  links: MediaLinks,
  parts: Upload,
  fan: { readonly id: string; readonly conversation_id: string },
  maxBytes?: number,
): Promise<FanVisibleAttachment[]> {
  const target = { conversationId: fan.conversation_id, ownerId: fan.id };
  const files = await receiveFiles(stores, parts, { kind: 'fan', id: fan.id }, target, maxBytes);
  return files.map((file) => {
    const fanTarget = { fanId: fan.id, messageId: null, attachmentId: file.id };
    return attachmentForFan({ ...file, purchased_at: null }, fanTarget, links);
  });
}

function requireFiles(files: readonly StoredAttachment[]): readonly StoredAttachment[] {
  if (files.length === 0) throw invalidField('files', 'Choose at least one file');
  return files;
}

/** Returns the error for an uploader who exceeds their limit of bytes. */
export const tooMuch = () =>
  new AppError('payload_too_large', { message: 'This is more than can be uploaded in a day' });
const noTarget = () => invalidRequest({ conversation_id: 'This field is required' });
const unknownField = (name: string) =>
  invalidRequest({ [name.slice(0, 50)]: 'Not a field of this form, or sent twice' });
