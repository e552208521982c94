import { describe, expect, it } from 'vitest';
import { betterOf } from './better-of.ts';

const share = (part: number, total: number) => [(part / total) * 100, total] as const;

describe('the better of two variants', () => {
  it.each([
    ['20 of 29 and 21 of 31', share(20, 29), share(21, 31), null],
    ['1 of 29 and 5 of 31', share(1, 29), share(5, 31), null],
    ['1 of 6 and none of 6', share(1, 6), share(0, 6), null],
    ['all of 6 and none of 6', share(6, 6), share(0, 6), 0],
    ['60 of 200 and 90 of 200', share(60, 200), share(90, 200), 1],
    ['1 % and 1.1 % of 100,000', share(1_000, 100_000), share(1_100, 100_000), 1],
    ['all of both', share(9, 9), share(8, 8), null],
    ['nothing of nothing', [0, 0] as const, share(4, 4), null],
  ])('%s', (_, one, other, better) => {
    expect(betterOf([one, other])).toBe(better);
  });
});
