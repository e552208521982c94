import { describe, expect, it } from 'vitest';
import { buildProduct } from '../../testing/build-product.ts';
import { inFolder, type ProductSort, searchProducts, sortProducts } from './shown-products.ts';

const products = [
  buildProduct({ id: 'c', title: 'Set 10', price: 5, times_purchased: 1, times_sent: 9 }),
  buildProduct({ id: 'b', title: 'set 2', price: 5, times_purchased: 3, times_sent: 3 }),
  buildProduct({
    id: 'a',
    title: 'Älpler',
    description: 'By the Sea',
    price: 12,
    times_purchased: 1,
    times_sent: 20,
    folder_id: 'f',
  }),
];
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('');

it.each([
  ['newest', 'cba'],
  ['title', 'abc'],
  ['price_up', 'cba'],
  ['price_down', 'acb'],
  ['most_bought', 'bac'],
] as const satisfies [ProductSort, string][])('sorted by %s they come as %s', (sort, order) => {
  expect(ids(sortProducts(products, sort))).toBe(order);
});

describe('a search', () => {
  it.each([
    ['', 'cba'],
    ['  ', 'cba'],
    ['SET', 'cb'],
    ['10 set', 'c'],
    ['by the sea', 'a'],
    ['älp sea', 'a'],
    ['.*', ''],
  ])('for %j finds %j', (query, found) => {
    expect(ids(searchProducts(products, query))).toBe(found);
  });
});

it('a folder shows only its own products', () => {
  expect(ids(inFolder(products, 'f'))).toBe('a');
  expect(ids(inFolder(products, null))).toBe('cba');
});
