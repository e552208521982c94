import type { Attachment } from '@stagedoor/contract/media';
import type { Product } from '@stagedoor/contract/selling/products';
import type { OutgoingAttachment } from '../messages/outbox.ts';

/** Returns an offer of a product at a price: the API input, and the attachment to show until the message is confirmed. */
export function offerOf(product: Product, price: number): OutgoingAttachment {
  return {
    input: { product_id: product.id, price, is_paid: true },
    shown: { ...cardOf(product), is_paid: true, price },
  };
}

/**
 * Returns a free, unlocked attachment for a product that the fan already owns.
 * @param purchasedAt when the fan bought it
 */
export function resendOf(product: Product, purchasedAt: string): OutgoingAttachment {
  return {
    input: { product_id: product.id, is_paid: false },
    shown: { ...cardOf(product), purchased_at: purchasedAt },
  };
}

function cardOf(product: Product): Attachment {
  const { id, title, description, image_url, preview_url, preview_s3_key, full_s3_key, media } =
    product;
  return {
    id: `offer-${id}`,
    type: 'image',
    url: image_url,
    thumbnail_url: null,
    filename: null,
    size: null,
    mime_type: null,
    width: null,
    height: null,
    is_paid: false,
    product_id: id,
    price: null,
    title,
    description,
    preview_url,
    preview_s3_key,
    full_s3_key,
    purchased_at: null,
    media,
  };
}

/** Returns whether a product's title contains the query, ignoring case. */
export function matches({ title }: Pick<Product, 'title'>, query: string): boolean {
  return title.toLowerCase().includes(query.trim().toLowerCase());
}
