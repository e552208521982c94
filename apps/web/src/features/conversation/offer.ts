import type { Product } from '@stagedoor/contract/products';
import type { OutgoingAttachment } from './outbox.ts';

/** The text of a message that is nothing but an offer. */
export const OFFER_CONTENT = ' ';

/** A product at this message's price, as it is sent and as its bubble shows it meanwhile. */
export function offerOf(product: Product, price: number): OutgoingAttachment {
  const { id, title, description, image_url, preview_url, preview_s3_key, full_s3_key } = product;
  return {
    input: { product_id: id, price, is_paid: true },
    shown: {
      id: `offer-${id}`,
      type: 'image',
      url: image_url,
      thumbnail_url: null,
      filename: null,
      size: null,
      mime_type: null,
      width: null,
      height: null,
      is_paid: true,
      product_id: id,
      price,
      title,
      description,
      preview_url,
      preview_s3_key,
      full_s3_key,
      purchased_at: null,
    },
  };
}

/** Whether a product's title contains what is searched for, whatever the case. */
export function matches({ title }: Pick<Product, 'title'>, query: string): boolean {
  return title.toLowerCase().includes(query.trim().toLowerCase());
}
