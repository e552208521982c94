import type { Product } from '@stagedoor/contract/selling/products';

/** Builds a product of the catalog, by default in no folder. */
export function buildProduct(overrides: Partial<Product> = {}): Product {
  return {
    id: 'product',
    title: 'Sunset Set',
    description: null,
    price: 9.99,
    folder_id: null,
    image_url: '/api/media/image',
    thumbnail_url: '/api/media/thumbnail',
    preview_url: '/api/media/preview',
    preview_s3_key: 'products/preview',
    full_s3_key: 'products/full',
    product_type: 'message_attachment',
    is_active: true,
    media: [],
    times_sent: 0,
    times_purchased: 0,
    created_at: '2026-11-21T12:00:00.000Z',
    ...overrides,
  };
}
