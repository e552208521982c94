import { formatMoney } from '@stagedoor/browser/money';
import { describe, expect, it } from 'vitest';
import {
  conversionTone,
  formatChange,
  formatPercentage,
  formatPoints,
  formatRate,
  formatReplyTime,
  formatShortCount,
  formatShortMoney,
} from './format.ts';

describe('money and rates', () => {
  it('money has 2 decimals and thousands separators', () => {
    expect([0, 9.9, 1234.5, 0.005].map(formatMoney)).toEqual([
      '$0.00',
      '$9.90',
      '$1,234.50',
      '$0.01',
    ]);
  });

  it('rates have 1 decimal', () => {
    expect([0, 33.333, 50, 100].map(formatRate)).toEqual(['0.0%', '33.3%', '50.0%', '100.0%']);
  });

  it('percentages that someone entered keep their decimals', () => {
    expect([15, 12.5, 33.33].map(formatPercentage)).toEqual(['15%', '12.5%', '33.33%']);
  });

  it('changes have a sign, and a decimal only below 10 %', () => {
    expect([0.1234, -0.375, 0.055, 0, 0.0001, 12].map(formatChange)).toEqual([
      '+12%',
      '-38%',
      '+5.5%',
      '0%',
      '0%',
      '+1,200%',
    ]);
    expect([4.76, -2, 0].map(formatPoints)).toEqual(['+4.8', '-2', '0']);
  });

  it('an axis abbreviates thousands and millions with a letter', () => {
    expect([0, 0.5, 500, 1500, 2_000_000].map(formatShortMoney)).toEqual([
      '$0',
      '$0.50',
      '$500',
      '$1.5K',
      '$2M',
    ]);
    expect([0, 999, 12_500].map(formatShortCount)).toEqual(['0', '999', '12.5K']);
  });
});

describe('the conversion rate’s color', () => {
  it.each([
    [100, 'good'],
    [50, 'good'],
    [49.99, 'warn'],
    [49.9, 'warn'],
    [25, 'warn'],
    [24.9, 'neutral'],
    [0, 'neutral'],
  ] as const)('%d %% is %s', (rate, tone) => {
    expect(conversionTone(rate)).toBe(tone);
  });
});

describe('reply times', () => {
  it.each([
    [0, '0 s'],
    [59.4, '59 s'],
    [59.6, '1 min'],
    [180, '3 min'],
    [3_599, '1 h'],
    [3_600, '1 h'],
    [7_500, '2 h 5 min'],
    [86_399, '1 d'],
    [90_000, '1 d 1 h'],
    [172_800, '2 d'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatReplyTime(seconds)).toBe(text);
  });

  it('shows a dash without replies', () => {
    expect(formatReplyTime(null)).toBe('–');
  });
});
