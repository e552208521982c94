import { randomUUID } from 'node:crypto';
import type { AttachmentType } from '@stagedoor/contract/media';
import { ATTACHMENT_PLACEHOLDER, type AttachmentInput } from '@stagedoor/contract/messages';
import { type Database, isUuid } from '../../db/database.ts';
import { invalidAttachment } from '../../errors.ts';
import type { StoredAttachment } from '../media/stored-attachment.ts';
import { findWaitingUploads, type UploadPlace } from '../media/uploads.store.ts';
import { productForSale } from '../products/products.store.ts';

/**
 * Makes a message's attachments from what its sender named, in that order. Of a product only the price is the sender's to
 * say; of an upload, nothing.
 * @throws AppError 400 `invalid_attachment` for what is not there, not theirs, used already, or not for sale
 */
export async function resolveAttachments(
  db: Database,
  place: UploadPlace,
  inputs: readonly AttachmentInput[],
): Promise<StoredAttachment[]> {
  const uploadIds = inputs.flatMap((input) => ('id' in input ? [input.id] : []));
  if (new Set(uploadIds).size < uploadIds.length) {
    throw invalidAttachment('An upload can be attached only once');
  }
  const uploads =
    uploadIds.length > 0 && uploadIds.every(isUuid)
      ? await findWaitingUploads(db, place, uploadIds)
      : new Map<string, StoredAttachment>();
  return Promise.all(
    inputs.map(async (input) => {
      const found = 'id' in input ? uploads.get(input.id) : await offer(db, input);
      if (!found)
        throw invalidAttachment(
          'id' in input ? 'There is no such upload' : 'There is no such product',
        );
      return found;
    }),
  );
}

/** A product as this message offers it, under an id of its own. */
async function offer(
  db: Database,
  { product_id, price }: Extract<AttachmentInput, { product_id: string }>,
): Promise<StoredAttachment | null> {
  const product = isUuid(product_id) ? await productForSale(db, product_id) : null;
  if (product === null) return null;
  return {
    id: randomUUID(),
    type: 'image',
    key: product.full_key,
    thumbnail_key: null,
    filename: product.filename,
    size: product.size,
    mime_type: product.mime_type,
    width: product.width,
    height: product.height,
    product: {
      id: product.id,
      title: product.title,
      description: product.description,
      price_cents: Math.round(price * 100),
      preview_key: product.preview_key,
    },
  };
}

const STAND_INS: Readonly<Record<AttachmentType, string>> = {
  image: '📷 Photo',
  video: '🎥 Video',
  audio: '🎵 Audio',
  file: '📎 Attachment',
};

/** What the inbox shows of a message: its text, or else what it carries. */
export function previewOf(content: string, attachments: readonly StoredAttachment[]): string {
  const [first] = attachments;
  const said = content.trim() !== '' && content !== ATTACHMENT_PLACEHOLDER;
  return first === undefined || said ? content : STAND_INS[first.type];
}
