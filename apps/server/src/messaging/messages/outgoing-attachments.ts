import { randomUUID } from 'node:crypto';
import type { AttachmentType } from '@stagedoor/contract/media';
import {
  ATTACHMENT_PLACEHOLDER,
  type AttachmentInput,
  namedAttachment,
} from '@stagedoor/contract/messaging/messages';
import { type Database, isUuid } from '../../db/database.ts';
import { AppError, invalidAttachment } from '../../errors.ts';
import type { MediaLinks } from '../../media/media-links.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { findWaitingUploads, type UploadPlace } from '../../media/uploads.store.ts';
import { findOwned } from '../../selling/products/owned-products.store.ts';
import {
  type ProductForSale,
  productForSale,
  productOnceSold,
} from '../../selling/products/products.store.ts';
import { refuseForged } from './repeated-fields.ts';

/** A message's attachments, and when its fan bought those products of it that they own, by product id. */
export interface OutgoingAttachments {
  readonly attachments: StoredAttachment[];
  readonly owned: Readonly<Record<string, string>>;
}

/**
 * Makes a message's attachments from what its sender named, in that order. Of a product only the price is the sender's to
 * say; of an upload, nothing. What the sender repeats beside it must be what the server knows.
 * @throws AppError 400 `invalid_attachment` for what is not there, not theirs, used already, not for sale, free although the
 * fan does not own it, or forged; 409 `already_owned` for an offer of what the fan owns
 */
export async function resolveAttachments(
  { db, links }: { readonly db: Database; readonly links: MediaLinks },
  place: UploadPlace,
  inputs: readonly AttachmentInput[],
): Promise<OutgoingAttachments> {
  const named = inputs.map(namedAttachment);
  const uploadIds = named.flatMap((each) => ('id' in each ? [each.id] : []));
  if (new Set(uploadIds).size < uploadIds.length) {
    throw invalidAttachment('An upload can be attached only once');
  }
  const uploads =
    uploadIds.length > 0 && uploadIds.every(isUuid)
      ? await findWaitingUploads(db, place, uploadIds)
      : new Map<string, StoredAttachment>();
  const productIds = named.flatMap((each) => ('product_id' in each ? [each.product_id] : []));
  const owned = await findOwned(db, place.conversationId, productIds.filter(isUuid));
  const attachments = await Promise.all(
    inputs.map(async (input) => {
      const each = namedAttachment(input);
      if ('id' in each) {
        const upload = uploads.get(each.id);
        if (upload === undefined) throw invalidAttachment('Upload not found');
        const record = { ...upload, purchased_at: null };
        refuseForged(input, record, [upload.key, upload.thumbnail_key], links);
        return upload;
      }
      const since = owned[each.product_id.toLowerCase()] ?? null;
      if (each.is_paid && since !== null) throw new AppError('already_owned');
      if (!each.is_paid && since === null)
        throw invalidAttachment('The fan does not own this product');
      const product = await (each.is_paid ? productForSale : productOnceSold)(db, each.product_id);
      if (product === null) throw invalidAttachment('Product not found');
      const sold = asAttachment(product, each.is_paid ? Math.round(each.price * 100) : null);
      const keys = [product.full_key, product.preview_key, product.thumbnail_key];
      refuseForged(input, { ...sold, purchased_at: since }, keys, links);
      return sold;
    }),
  );
  return { attachments, owned };
}

/** A product as this message carries it, under an id of its own. @param price_cents null: free */
function asAttachment(product: ProductForSale, price_cents: number | null): StoredAttachment {
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
      price_cents,
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
