import {
  ATTACHMENT_LABELS,
  ATTACHMENT_PLACEHOLDER,
  type AttachmentInput,
  namedAttachment,
} from '@stagedoor/contract/messaging/messages';
import { toUsd } from '@stagedoor/contract/selling/cents';
import { type Database, isUuid } from '../../db/database.ts';
import { AppError, invalidAttachment } from '../../errors.ts';
import type { MediaLinks } from '../../media/media-links.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import { findWaitingUploads, type UploadTarget } from '../../media/uploads.store.ts';
import { findOwned } from '../../selling/products/owned-products.store.ts';
import { asAttachment } from '../../selling/products/product-attachment.ts';
import { productForSale, productOnceSold } from '../../selling/products/products.store.ts';
import { refuseForged } from './repeated-fields.ts';

/** A message's attachments, and the purchase time of each attached product that the fan owns, by product id. */
export interface OutgoingAttachments {
  readonly attachments: StoredAttachment[];
  readonly owned: Readonly<Record<string, string>>;
}

/**
 * Builds a message's attachments from the sender's list, in the same order. The sender can set only a product's price; any other
 * field must match the stored value.
 * @throws AppError 400 `invalid_attachment` for an upload that isn't the sender's or was sent before, a product that isn't for
 * sale or is free though the fan doesn't own it, or a field that doesn't match; 409 `already_owned` for an offer of a product
 * that the fan owns
 */
export async function resolveAttachments(
  { db, links }: { readonly db: Database; readonly links: MediaLinks },
  target: UploadTarget,
  inputs: readonly AttachmentInput[],
): Promise<OutgoingAttachments> {
  const named = inputs.map(namedAttachment);
  const uploadIds = named.flatMap((each) => ('id' in each ? [each.id] : []));
  if (new Set(uploadIds).size < uploadIds.length) {
    throw invalidAttachment('An upload can be attached only once');
  }
  const uploads =
    uploadIds.length > 0 && uploadIds.every(isUuid)
      ? await findWaitingUploads(db, target, uploadIds)
      : new Map<string, StoredAttachment>();
  const productIds = named.flatMap((each) => ('product_id' in each ? [each.product_id] : []));
  const owned = await findOwned(db, target.conversationId, productIds.filter(isUuid));
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
      const since = owned[each.product_id] ?? null;
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

/** Returns a message's inbox preview: its text, or else its first attachment's type or, for an offer, title and price. */
export function previewOf(content: string, attachments: readonly StoredAttachment[]): string {
  const [first] = attachments;
  const hasText = content.trim() !== '' && content !== ATTACHMENT_PLACEHOLDER;
  if (first === undefined || hasText) return content;
  const price = first.product?.price_cents;
  if (price == null) return ATTACHMENT_LABELS[first.type];
  return `🔒 ${first.product?.title} · $${toUsd(price).toFixed(2)}`;
}
