import { expect, test } from 'vitest';
import { amountOf } from './tip-amount.ts';

test.each([
  ['5', 5],
  [' 7.5 ', 7.5],
  ['7,50', 7.5],
  ['$12.34', 12.34],
  ['1000000', 1_000_000],
  ['1000000.01', null],
  ['0', null],
  ['0.001', null],
  ['-5', null],
  ['1.234,50', null],
  ['ten', null],
  ['', null],
])('the amount %o is %o', (typed, amount) => {
  expect(amountOf(typed)).toBe(amount);
});
