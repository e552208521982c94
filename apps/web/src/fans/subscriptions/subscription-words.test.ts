import type { SubscriptionStatus } from '@stagedoor/contract/fans/subscriptions';
import { describe, expect, it } from 'vitest';
import { endWords } from './end-words.ts';
import { subscriptionWords } from './subscription-words.ts';

const words = (status: SubscriptionStatus, ends_at: string | null, now: string, timeZone = 'UTC') =>
  subscriptionWords({ status, ends_at }, Date.parse(now), timeZone);
const textOf = (...input: Parameters<typeof words>) => words(...input).text;

const NOON = '2026-11-21T12:00:00.000Z';

describe('a trial', () => {
  it.each([
    ['2026-11-21T23:59:59.999Z', 'Trial ends today'],
    ['2026-11-21T12:00:00.001Z', 'Trial ends today'],
    ['2026-11-22T00:00:00.001Z', 'Trial ends tomorrow'],
    ['2026-11-22T23:00:00.000Z', 'Trial ends tomorrow'],
    ['2026-11-23T00:00:00.001Z', 'Trial · 2 days left'],
    ['2026-11-24T12:00:00.000Z', 'Trial · 3 days left'],
    ['2027-02-21T12:00:00.000Z', 'Trial · 92 days left'],
    ['2026-11-21T12:00:00.000Z', 'Trial ended'],
    ['2020-01-01T00:00:00.000Z', 'Trial ended'],
    [null, 'Trial'],
  ])('that ends at %s reads at noon of Nov 21: %s', (ends, text) => {
    expect(textOf('trial', ends, NOON)).toBe(text);
  });

  it('that ends at midnight ends with the previous day', () => {
    const midnight = '2026-11-22T00:00:00.000Z';
    expect(textOf('trial', midnight, NOON)).toBe('Trial ends today');
    expect(textOf('trial', midnight, '2026-11-21T23:59:59.999Z')).toBe('Trial ends today');
    expect(textOf('trial', midnight, midnight)).toBe('Trial ended');
  });

  it('is urgent only on its last day', () => {
    expect(words('trial', '2026-11-21T20:00:00.000Z', NOON).tone).toBe('warn');
    expect(words('trial', '2026-11-22T20:00:00.000Z', NOON).tone).toBe('neutral');
    expect(words('trial', '2026-11-21T11:00:00.000Z', NOON).tone).toBe('neutral');
  });
});

describe('a subscription', () => {
  it('has a different color while paid, on its last day and after its end', () => {
    for (const [ends, tone] of [
      [null, 'good'],
      ['2026-11-24T18:00:00.000Z', 'good'],
      ['2026-11-21T18:00:00.000Z', 'warn'],
      ['2026-11-20T18:00:00.000Z', 'neutral'],
    ] as const)
      expect(words('subscribed', ends, NOON).tone).toBe(tone);
  });

  it.each([
    [null, 'Subscribed', 'Subscribed'],
    ['2026-11-21T18:00:00.000Z', 'Subscription ends today', 'Ends today'],
    ['2026-11-22T18:00:00.000Z', 'Subscription ends tomorrow', 'Ends tomorrow'],
    ['2026-11-24T18:00:00.000Z', 'Subscription ends in 3 days', 'Ends in 3 days'],
    ['2026-11-28T18:00:00.000Z', 'Subscription ends in 7 days', 'Ends in 7 days'],
    ['2026-11-29T18:00:00.000Z', 'Subscribed', 'Subscribed'],
    ['2026-11-20T18:00:00.000Z', 'Subscription ended', 'Subscription ended'],
  ])('that ends at %s reads: %s, or in short: %s', (ends, text, short) => {
    expect(words('subscribed', ends, NOON)).toMatchObject({ text, short });
  });
});

describe('days', () => {
  const ends = '2026-11-22T02:00:00.000Z';

  it('follow the viewer’s time zone', () => {
    expect(textOf('trial', ends, NOON, 'UTC')).toBe('Trial ends tomorrow');
    expect(textOf('trial', ends, NOON, 'America/New_York')).toBe('Trial ends today');
    // It is already the 22nd in Auckland.
    expect(textOf('trial', ends, NOON, 'Pacific/Auckland')).toBe('Trial ends today');
    expect(textOf('trial', ends, '2026-11-21T10:00:00.000Z', 'Pacific/Auckland')).toBe(
      'Trial ends tomorrow',
    );
  });

  it('count as one when they have 25 hours', () => {
    // Berlin's clocks go back on Oct 25, 2026: 00:30 and 23:30 of that day are 24 hours apart.
    const began = '2026-10-24T22:30:00.000Z';
    expect(textOf('trial', '2026-10-25T22:30:00.000Z', began, 'Europe/Berlin')).toBe(
      'Trial ends today',
    );
    expect(textOf('trial', '2026-10-25T23:30:00.000Z', began, 'Europe/Berlin')).toBe(
      'Trial ends tomorrow',
    );
  });

  it('count as one when they have 23 hours', () => {
    // New York's clocks go forward on Mar 8, 2026: 23.5 hours after 00:15 it is the next day.
    const began = '2026-03-08T05:15:00.000Z';
    expect(textOf('trial', '2026-03-09T04:45:00.000Z', began, 'America/New_York')).toBe(
      'Trial ends tomorrow',
    );
    expect(textOf('trial', '2026-03-10T04:45:00.000Z', began, 'America/New_York')).toBe(
      'Trial · 2 days left',
    );
  });

  it('can start without a midnight', () => {
    // Cairo's clocks go forward at midnight on Apr 24, 2026: 01:00 follows 23:59.
    expect(
      textOf('trial', '2026-04-23T22:00:00.000Z', '2026-04-23T20:00:00.000Z', 'Africa/Cairo'),
    ).toBe('Trial ends today');
    expect(
      textOf('trial', '2026-04-23T22:00:00.001Z', '2026-04-23T20:00:00.000Z', 'Africa/Cairo'),
    ).toBe('Trial ends tomorrow');
  });

  it('continue across the end of the year', () => {
    expect(textOf('trial', '2027-01-01T09:00:00.000Z', '2026-12-31T09:00:00.000Z')).toBe(
      'Trial ends tomorrow',
    );
  });
});

describe('the end', () => {
  const endOf = (ends_at: string | null, timeZone = 'UTC', locale = 'en-US') =>
    endWords({ status: 'trial', ends_at }, Date.parse(NOON), timeZone, locale);

  it('is shown to the minute in the viewer’s time zone, with the year when it differs', () => {
    expect(endOf('2026-11-24T18:00:30.000Z')).toBe('Ends on Nov 24, 18:00');
    expect(endOf('2026-11-24T18:00:00.000Z', 'Asia/Tokyo')).toBe('Ends on Nov 25, 03:00');
    expect(endOf('2027-01-02T08:05:00.000Z')).toBe('Ends on Jan 2, 2027, 08:05');
    expect(endOf('2026-11-20T18:00:00.000Z')).toBe('Ended on Nov 20, 18:00');
    expect(endOf(null)).toBeNull();
  });

  it('follows the viewer’s date format', () => {
    expect(endOf('2026-11-24T18:00:00.000Z', 'Europe/Berlin', 'de')).toBe(
      'Ends on 24. Nov., 19:00',
    );
  });
});
