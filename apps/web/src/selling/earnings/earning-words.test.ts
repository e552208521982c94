import type { BookedLine, EarningPeriod } from '@stagedoor/contract/selling/earnings';
import { expect, test } from 'vitest';
import { daysOf, whyOf } from './earning-words.ts';

test.each([
  [-1.25, '12.5% of -$9.96 = -$1.25'],
  [-1.24, 'Refund, takes back what was earned: -$1.24'],
])(
  'explains a refund of %d by the rule only if the rule gives exactly this amount',
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

test.each([
  [-0.6, 0, 'Refund, takes back what was earned: -$0.60'],
  [0, 0, 'Refund, takes back what was earned: $0.00'],
  [0, -9.96, 'No commission rule applied yet: $0.00'],
])('explains a refund of %d without a rule, on net sales of %d', (amount, base_amount, why) => {
  const refund = { source: 'refund', rate: null, seconds: null, shared_by: 1, base_amount };
  expect(whyOf({ ...refund, amount } as BookedLine)).toBe(why);
});

test.each([
  ['2026-11-23T11:00Z', 'Nov 23, 2026'],
  ['2026-11-25T00:00Z', 'Nov 23 – 24, 2026'],
])(
  'titles a period that ends at %s by its days, or by its first day if it is shorter',
  (ends_at, title) => {
    const period = { id: '2026-11-23', starts_at: '2026-11-23T00:00Z', ends_at };
    expect(daysOf(period as EarningPeriod).replaceAll(/\s/g, ' ')).toBe(title);
  },
);
