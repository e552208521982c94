import { createProduct } from '@stagedoor/contract/selling/products';
import { paint } from '@stagedoor/sample-data/pictures';
import type { Call } from '../lib/calls.ts';

/** A product that staff can offer. */
export interface Offered {
  readonly id: string;
  /** USD. */
  readonly price: number;
}

const PRODUCTS = [
  ['Lanterns over the water', 4.99, 'lanterns'],
  ['Low tide, 6 a.m.', 9.99, 'tide'],
  ['Backstage in Lisbon', 19.99, 'aurora'],
] as const;

/** Adds a few pictures to the catalog. @param asManager calls the API as an admin who can edit the catalog */
export async function addProducts(asManager: Call): Promise<Offered[]> {
  const offered: Offered[] = [];
  for (const [title, price, painting] of PRODUCTS) {
    const { data } = await paint(painting);
    const form = new FormData();
    form.append('title', title);
    form.append('price', String(price));
    form.append('image', new Blob([new Uint8Array(data)], { type: 'image/jpeg' }), 'picture.jpg');
    offered.push({ id: (await asManager(createProduct, { form })).data.id, price });
  }
  return offered;
}
