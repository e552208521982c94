import { newId } from '../../db/new-id.ts';
import type { StoredAttachment } from '../../media/stored-attachment.ts';
import type { ProductForSale } from './products.store.ts';

/** Builds the attachment for a product, with a new id. @param price_cents null: free */
export function asAttachment(
  product: ProductForSale,
  price_cents: number | null,
): StoredAttachment {
  return {
    id: newId(),
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
      ...(product.media.length > 0 && { media: product.media }),
    },
  };
}
