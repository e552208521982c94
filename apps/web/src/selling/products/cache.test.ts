import { describe, expect, it } from 'vitest';
import { buildProduct } from '../../testing/build-product.ts';
import {
  changeProduct,
  countsByFolder,
  dropFolder,
  dropProduct,
  putFolder,
  putProduct,
  revertProduct,
  withoutFolder,
} from './cache.ts';

const one = buildProduct({ id: 'one', folder_id: 'a' });
const two = buildProduct({ id: 'two', folder_id: 'b' });

describe('the catalog', () => {
  it('puts a new product first, and keeps the position of a changed one', () => {
    expect(putProduct([one], two)).toEqual([two, one]);
    const renamed = { ...one, title: 'New' };
    expect(putProduct([two, one], renamed)).toEqual([two, renamed]);
    expect(dropProduct([two, one], 'two')).toEqual([one]);
  });

  it('shows a move immediately', () => {
    expect(changeProduct([one, two], 'two', { folder_id: null })[1]?.folder_id).toBeNull();
    const products = [one];
    expect(changeProduct(products, 'gone', { folder_id: null })).toBe(products);
  });

  it('reverts a failed move, but not later changes', () => {
    const moved = changeProduct([one], 'one', { folder_id: 'b' });
    expect(revertProduct(moved, one, { folder_id: 'b' })).toEqual([one]);
    const again = changeProduct(moved, 'one', { folder_id: 'c', is_active: false });
    expect(revertProduct(again, one, { folder_id: 'b' })).toEqual(again);
    expect(revertProduct([], one, { folder_id: 'b' })).toEqual([]);
  });

  it('moves the products of a deleted folder out of it', () => {
    expect(withoutFolder([one, two], 'a')).toEqual([{ ...one, folder_id: null }, two]);
  });

  it('counts the products in each folder', () => {
    const none = buildProduct({ id: 'three', folder_id: null });
    expect([...countsByFolder([one, two, none, { ...two, id: 'four' }])]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });
});

describe('the folders', () => {
  const folder = (id: string, name: string) => ({ id, name, description: null });
  const [beach, attic] = [folder('a', 'Beach'), folder('b', 'attic')];

  it('are sorted by name, ignoring case', () => {
    expect(putFolder([beach], attic)).toEqual([attic, beach]);
    const renamed = folder('b', 'Zoo');
    expect(putFolder([attic, beach], renamed)).toEqual([beach, renamed]);
    expect(dropFolder([attic, beach], 'b')).toEqual([beach]);
  });
});
