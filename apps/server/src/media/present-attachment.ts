import type { Attachment, BundleFile, FanVisibleAttachment } from '@stagedoor/contract/media';
import type { FanTarget, MediaLinks, StaffAudience } from './media-links.ts';
import type { StoredAttachment, StoredBundleFile } from './stored-attachment.ts';

/** A stored attachment, with its purchase by the fan. */
export interface AttachmentRecord extends StoredAttachment {
  /** When the fan bought the product, in the API's format; null if they don't own it. */
  readonly purchased_at: string | null;
}

/** Returns an attachment as staff see it, with every field. Its URLs are signed for the given audience. */
export function attachmentForStaff(
  attachment: AttachmentRecord,
  audience: StaffAudience,
  links: MediaLinks,
): Attachment {
  const { product, filename, mime_type } = attachment;
  const url = links.forStaff(audience, { key: attachment.key, mime_type, filename });
  return {
    ...shown(attachment),
    filename,
    url,
    thumbnail_url: picture(attachment.thumbnail_key, audience, links),
    preview_url: picture(product?.preview_key ?? null, audience, links),
    preview_s3_key: product?.preview_key ?? null,
    full_s3_key: product === null ? null : attachment.key,
    purchased_at: attachment.purchased_at,
    ...(product && {
      media: product.media
        ? bundleForStaff(product.media, url, audience, links)
        : [onlyFile(attachment, { id: product.id, url, preview_url: url })],
    }),
  };
}

/** Presents a product's files to staff. @param cover the URL of the picture for files that have no picture */
export const bundleForStaff = (
  files: readonly StoredBundleFile[],
  cover: string,
  audience: StaffAudience,
  links: MediaLinks,
): BundleFile[] =>
  files.map((file) =>
    bundleFile(file, {
      url: links.forStaff(audience, file),
      preview_url: picture(file.thumbnail_key, audience, links) ?? cover,
    }),
  );

/** Presents an attachment to its fan: until they buy a paid product, only its preview and its free files are available. */
export function attachmentForFan(
  attachment: AttachmentRecord,
  target: FanTarget,
  links: MediaLinks,
): FanVisibleAttachment {
  const { product } = attachment;
  const locked = product !== null && attachment.purchased_at === null;
  const url = locked ? null : links.forFan(target, 'file');
  const preview_url = product && links.forFan(target, 'preview');
  const thumbnail = !locked && attachment.thumbnail_key !== null;
  return {
    ...shown(attachment),
    filename: locked ? null : attachment.filename,
    url,
    thumbnail_url: thumbnail ? links.forFan(target, 'thumbnail') : null,
    preview_url,
    locked,
    ...(product &&
      preview_url && {
        media: product.media
          ? bundleForFan(product.media, url ?? preview_url, { target, locked }, links)
          : [onlyFile(attachment, { id: product.id, url, preview_url: url ?? preview_url })],
      }),
  };
}

/** Presents a product's files to a fan. While the product is locked, only free files have links. */
const bundleForFan = (
  files: readonly StoredBundleFile[],
  cover: string,
  { target, locked }: { target: FanTarget; locked: boolean },
  links: MediaLinks,
): BundleFile[] =>
  files.map((file) => {
    if (locked && !file.free)
      return bundleFile({ ...file, width: null, height: null }, { url: null, preview_url: cover });
    const own = { ...target, fileId: file.id };
    return bundleFile(file, {
      url: links.forFan(own, 'file'),
      preview_url: file.thumbnail_key === null ? cover : links.forFan(own, 'thumbnail'),
    });
  });

const bundleFile = (
  { id, type, duration, free, width, height }: StoredBundleFile,
  urls: Pick<BundleFile, 'url' | 'preview_url'>,
): BundleFile => ({
  id,
  type,
  ...(duration !== null && { duration }),
  free,
  ...urls,
  width,
  height,
});

/** Presents the picture of a product that has no other files. */
export const onlyFile = (
  { width, height }: Pick<BundleFile, 'width' | 'height'>,
  named: Pick<BundleFile, 'id' | 'url' | 'preview_url'>,
): BundleFile => ({ ...named, type: 'image', free: false, width, height });

/** Returns the fields that both sides see. */
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
