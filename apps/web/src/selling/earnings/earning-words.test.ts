import type { BookedLine } from '@stagedoor/contract/selling/earnings';
import { expect, test } from 'vitest';
import { whyOf } from './earning-words.ts';

test.each([
  [-1.25, '12.5% of -$9.96 = -$1.25'],
  [-1.24, 'Refund, takes back what was earned: -$1.24'],
])(
  'a refund of %d is explained by the rule only if it is what the rule gives to the cent',
  (amount, why) => {
    const refund = {
      source: 'refund',
      rate: 12.5,
      seconds: null,
      shared_by: 1,
      base_amount: -9.96,
    };
    expect(whyOf({ ...refund, amount } as BookedLine)).toBe(why);
  },
);
