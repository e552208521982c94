import { describe, expect, it } from 'vitest';
import { parsePrice } from './money.ts';

describe('a price', () => {
  it.each([
    ['9.99', 9.99],
    [' 5 ', 5],
    ['0.01', 0.01],
    ['12.5', 12.5],
    ['1000000', 1_000_000],
    ['4,99', 4.99],
    ['7,5', 7.5],
    ['٤٫٩٩', 4.99],
    ['٧،٥٠', 7.5],
    ['$12.34', 12.34],
    ['$ 5', 5],
  ])('can be %j', (text, price) => expect(parsePrice(text)).toBe(price));

  it.each([
    '',
    '0',
    '0.00',
    '-1',
    '1.999',
    '1e3',
    'free',
    '1000000.01',
    '.',
    '4,999',
    '1.000,50',
    '1,000.50',
    '4,',
    ',99',
    '4,9,9',
  ])('can’t be %j', (text) => expect(parsePrice(text)).toBeNull());
});
