import { describe, expect, it } from 'vitest';
import { betterOf, type Share } from './better-of.ts';

describe('the better of two variants', () => {
  it.each<[string, Share, Share, 0 | 1 | null]>([
    ['20 of 29 and 21 of 31', [20, 29], [21, 31], null],
    ['1 of 29 and 5 of 31', [1, 29], [5, 31], null],
    ['1 of 6 and none of 6', [1, 6], [0, 6], null],
    ['all of 6 and none of 6', [6, 6], [0, 6], 0],
    ['60 of 200 and 90 of 200', [60, 200], [90, 200], 1],
    ['1 % and 1.1 % of 100,000', [1_000, 100_000], [1_100, 100_000], 1],
    ['all of both', [9, 9], [8, 8], null],
    ['nothing of nothing', [0, 0], [4, 4], null],
    ['4 of 40 and nothing offered', [4, 40], [0, 0], null],
  ])('%s', (_, one, other, better) => {
    expect(betterOf([one, other])).toBe(better);
  });
});
