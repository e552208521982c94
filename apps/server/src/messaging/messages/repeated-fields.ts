import type { AttachmentInput } from '@stagedoor/contract/messaging/messages';
import { invalidAttachment } from '../../errors.ts';
import type { MediaLinks } from '../../media/media-links.ts';
import { type AttachmentRecord, attachmentForStaff } from '../../media/present-attachment.ts';

/** Fields with a signed URL, which differs by session and time. */
const URLS = ['url', 'thumbnail_url', 'preview_url'] as const;

/**
 * Refuses an attachment with a field that differs from the stored value. Null fields are skipped. A URL matches when it points to
 * one of the attachment's own objects, even if it has expired.
 * @param keys the objects that belong to the attachment
 * @throws AppError 400 `invalid_attachment`
 */
export function refuseForged(
  input: AttachmentInput,
  attachment: AttachmentRecord,
  keys: readonly (string | null)[],
  links: MediaLinks,
): void {
  const { product } = attachment;
  const known: Readonly<Record<string, unknown>> = {
    ...attachmentForStaff(attachment, 'staff', links),
    // A product attachment gets its id when the message is stored; until then, clients use the product's id.
    id: product?.id ?? attachment.id,
  };
  // `media` is ignored: a product's files come from the catalog, not from the request.
  const { media: _ignored, ...repeated } = input;
  for (const [field, value] of Object.entries(repeated)) {
    if (value == null) continue;
    const isEqual = URLS.some((name) => name === field)
      ? keys.includes(links.keyOf(String(value)))
      : known[field] === value;
    if (!isEqual && !(field === 'price' && isSamePrice(known[field], value)))
      throw invalidAttachment(`The attachment’s ${field} does not match the upload or the product`);
  }
}

const isSamePrice = (known: unknown, price: unknown): boolean =>
  typeof known === 'number' &&
  typeof price === 'number' &&
  Math.round(known * 100) === Math.round(price * 100);
