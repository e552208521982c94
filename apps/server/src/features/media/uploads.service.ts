import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import { violates } from '../../db/database.ts';
import { AppError, conversationNotFound, invalidRequest } from '../../errors.ts';
import type { FieldPart, Part } from '../../http/multipart.ts';
import type { MediaLinks } from './media-links.ts';
import { type FileStores, withNewObjects } from './new-objects.ts';
import { attachmentForFan } from './present-attachment.ts';
import { storeFile } from './store-file.ts';
import type { StoredAttachment } from './stored-attachment.ts';
import { insertUploads, type UploadPlace } from './uploads.store.ts';

/**
 * Takes in an upload's `files`: all of them, or none and nothing is left.
 * @param place where they belong, which may be a field's to say
 * @param maxBytes of all the files together
 * @throws AppError 400 `invalid_request`, `invalid_file`; 413 `payload_too_large`; 507 `storage_full`; what `place` throws
 */
export function receiveFiles(
  stores: FileStores,
  parts: AsyncIterable<Part>,
  place: UploadPlace | ((field: FieldPart) => Promise<UploadPlace>),
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<StoredAttachment[]> {
  return withNewObjects(stores, async (objects) => {
    let known = typeof place === 'function' ? null : place;
    const files: StoredAttachment[] = [];
    for await (const part of parts) {
      if (part.kind === 'field') {
        if (typeof place !== 'function' || known !== null) throw unknownField(part.name);
        known = await place(part);
      } else {
        if (part.name !== 'files') throw unknownField(part.name);
        if (known === null) throw noPlace();
        files.push(await storeFile(objects, part));
        if (files.reduce((bytes, { size }) => bytes + size, 0) > maxBytes) throw tooMuch();
      }
    }
    if (known === null) throw noPlace();
    if (files.length === 0) throw invalidRequest({ files: 'Please choose at least one file' });
    const owner = known;
    const store = stores.db.kysely.transaction().execute(async (tx) => {
      await insertUploads(tx, owner, files);
      await objects.keep(tx);
    });
    await store.catch((error: unknown) => {
      // The fan was erased while the files came in.
      if (violates(error, 'uploads_conversation_id_fkey')) throw conversationNotFound();
      throw error;
    });
    return files;
  });
}

/** As {@link receiveFiles}, from a fan, for a message of theirs; as they see them. */
export async function receiveFanFiles(
  stores: FileStores,
  links: MediaLinks,
  parts: AsyncIterable<Part>,
  fan: { readonly id: string; readonly conversation_id: string },
  maxBytes?: number,
): Promise<FanVisibleAttachment[]> {
  const place = { conversationId: fan.conversation_id, ownerId: fan.id };
  const files = await receiveFiles(stores, parts, place, maxBytes);
  return files.map((file) => {
    const target = { fanId: fan.id, messageId: null, attachmentId: file.id };
    return attachmentForFan({ ...file, purchased_at: null }, target, links);
  });
}

/** What an uploader who is held to an amount of bytes is told. */
export const tooMuch = () =>
  new AppError('payload_too_large', { message: 'That is more than can be sent within a day' });
const noPlace = () => invalidRequest({ conversation_id: 'Must be given, before the files' });
const unknownField = (name: string) =>
  invalidRequest({ [name.slice(0, 50)]: 'Is not a field of this form, or was given twice' });
