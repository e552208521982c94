import type { Attachment, FanVisibleAttachment } from '@stagedoor/contract/media';
import type { FanTarget, MediaLinks, StaffAudience } from './media-links.ts';
import type { StoredAttachment } from './stored-attachment.ts';

/** A stored attachment, with what has happened to it since it was sent. */
export interface AttachmentRecord extends StoredAttachment {
  /** When the fan bought the product, in the API's format; null if they don't own it. */
  readonly purchased_at: string | null;
}

/** Presents an attachment to staff, who see everything; its URLs are for one audience. */
export function attachmentForStaff(
  attachment: AttachmentRecord,
  audience: StaffAudience,
  links: MediaLinks,
): Attachment {
  const { product, filename, mime_type } = attachment;
  return {
    ...shown(attachment),
    filename,
    url: links.forStaff(audience, { key: attachment.key, mime_type, filename }),
    thumbnail_url: picture(attachment.thumbnail_key, audience, links),
    preview_url: picture(product?.preview_key ?? null, audience, links),
    preview_s3_key: product?.preview_key ?? null,
    full_s3_key: product === null ? null : attachment.key,
    purchased_at: attachment.purchased_at,
  };
}

/** Presents an attachment to its fan: a paid product is locked until they buy it, and only its preview is available. */
export function attachmentForFan(
  attachment: AttachmentRecord,
  target: FanTarget,
  links: MediaLinks,
): FanVisibleAttachment {
  const locked = attachment.product !== null && attachment.purchased_at === null;
  const thumbnail = !locked && attachment.thumbnail_key !== null;
  return {
    ...shown(attachment),
    filename: locked ? null : attachment.filename,
    url: locked ? null : links.forFan(target, 'file'),
    thumbnail_url: thumbnail ? links.forFan(target, 'thumbnail') : null,
    preview_url: attachment.product === null ? null : links.forFan(target, 'preview'),
    locked,
  };
}

/** The fields that both sides see. */
function shown({ id, type, size, mime_type, width, height, product }: StoredAttachment) {
  return {
    id,
    type,
    size,
    mime_type,
    width,
    height,
    is_paid: product !== null && product.price_cents !== null,
    product_id: product?.id ?? null,
    price: product?.price_cents == null ? null : product.price_cents / 100,
    title: product?.title ?? null,
    description: product?.description ?? null,
  };
}

/** Returns the URL of a thumbnail or a preview, which are always WebP. */
const picture = (key: string | null, audience: StaffAudience, links: MediaLinks): string | null =>
  key === null ? null : links.forStaff(audience, { key, mime_type: 'image/webp', filename: null });
