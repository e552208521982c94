import type { Product } from '@stagedoor/contract/selling/products';
import { t } from '../../lib/text/i18n.ts';

/** The sort orders. The API already returns products in the first order. */
export const PRODUCT_SORTS = [
  { sort: 'newest', label: t('Newest') },
  { sort: 'title', label: t('Title') },
  { sort: 'price_up', label: t('Price: low to high') },
  { sort: 'price_down', label: t('Price: high to low') },
  { sort: 'most_bought', label: t('Most bought') },
] as const;

export type ProductSort = (typeof PRODUCT_SORTS)[number]['sort'];

const byTitle = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const ORDERS: Readonly<Record<ProductSort, ((a: Product, b: Product) => number) | null>> = {
  newest: null,
  title: (a, b) => byTitle.compare(a.title, b.title),
  price_up: (a, b) => a.price - b.price,
  price_down: (a, b) => b.price - a.price,
  most_bought: (a, b) => b.times_purchased - a.times_purchased || b.times_sent - a.times_sent,
};

/**
 * Sorts products.
 * @param products newest first; products that compare as equal stay in this order
 */
export function sortProducts(products: readonly Product[], sort: ProductSort): readonly Product[] {
  const order = ORDERS[sort];
  return order === null ? products : products.toSorted(order);
}

/** Returns the products whose title or description contains every word of the query, ignoring case. */
export function searchProducts(products: readonly Product[], query: string): readonly Product[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return products;
  return products.filter(({ title, description }) => {
    const text = `${title}\n${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the products in a folder, or all. */
export function inFolder(
  products: readonly Product[],
  folderId: string | null,
): readonly Product[] {
  return folderId === null
    ? products
    : products.filter(({ folder_id: inside }) => inside === folderId);
}
