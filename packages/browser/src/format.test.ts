import { describe, expect, it } from 'vitest';
import { formatBytes } from './format.ts';
import { initialOf } from './initial-of.ts';
import { formatPrice } from './money.ts';

describe('the initial of a name', () => {
  it('is a complete character', () => {
    expect(initialOf('ana')).toBe('A');
    expect(initialOf('👩‍🎤 star')).toBe('👩‍🎤');
    expect(initialOf('  Łukasz')).toBe('Ł');
    expect(initialOf('')).toBe('?');
  });
});

describe('files and prices', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [1024 * 1024 - 1, '1 MB'],
    [5 * 1024 * 1024, '5 MB'],
    [600 * 1024 * 1024 + 120_000, '600.1 MB'],
  ])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('always shows cents', () => {
    expect([9.9, 10, 0.01].map(formatPrice)).toEqual(['$9.90', '$10.00', '$0.01']);
  });
});
