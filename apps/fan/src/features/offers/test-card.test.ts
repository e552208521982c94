import { expect, test } from 'vitest';
import { inFours } from './card-number.ts';

test.each([
  ['4242424242424242', '4242 4242 4242 4242'],
  ['4242-4242 x', '4242 4242'],
  ['42424', '4242 4'],
  ['4242', '4242'],
  ['1'.repeat(30), '1111 1111 1111 1111 111'],
])('the card number %s is formatted as %s', (typed, shown) => {
  expect(inFours(typed)).toBe(shown);
});
