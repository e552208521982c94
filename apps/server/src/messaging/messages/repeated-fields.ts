import type { AttachmentInput } from '@stagedoor/contract/messaging/messages';
import { invalidAttachment } from '../../errors.ts';
import type { MediaLinks } from '../../media/media-links.ts';
import { type AttachmentRecord, attachmentForStaff } from '../../media/present-attachment.ts';

/** Fields that hold a signed URL, which is another one for each session and time. */
const URLS = ['url', 'thumbnail_url', 'preview_url'] as const;

/**
 * Refuses an attachment whose further fields say something else than the server knows; null says nothing. A URL is equal when
 * it leads to one of the attachment's own objects, even if it has expired since.
 * @param keys the objects that belong to it
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
    // A product's attachment gets its id with the message; until then it goes by the product's.
    id: product?.id ?? attachment.id,
  };
  for (const [field, value] of Object.entries(input)) {
    if (value == null) continue;
    const isEqual = URLS.some((name) => name === field)
      ? keys.includes(links.keyOf(String(value)))
      : known[field] === (isId(field) ? String(value).toLowerCase() : value);
    if (!isEqual && !(field === 'price' && isSamePrice(known[field], value)))
      throw invalidAttachment(`The attachment’s ${field} does not match the upload or the product`);
  }
}

/** UUIDs are compared as PostgreSQL writes them. */
const isId = (field: string): boolean => field === 'id' || field === 'product_id';

const isSamePrice = (known: unknown, price: unknown): boolean =>
  typeof known === 'number' &&
  typeof price === 'number' &&
  Math.round(known * 100) === Math.round(price * 100);
