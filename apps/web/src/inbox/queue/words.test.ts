import { describe, expect, it } from 'vitest';
import { snoozeWords, spanSince } from './words.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('the waiting time', () => {
  it.each([
    ['2026-11-21T12:00:30.000Z', '0 min'],
    ['2026-11-21T11:59:30.000Z', '0 min'],
    ['2026-11-21T11:46:00.000Z', '14 min'],
    ['2026-11-21T11:00:01.000Z', '59 min'],
    ['2026-11-21T11:00:00.000Z', '1 hr'],
    ['2026-11-20T12:00:01.000Z', '23 hr'],
    ['2026-11-20T12:00:00.000Z', '1 day'],
    ['2026-11-18T12:00:00.000Z', '3 days'],
  ])('since %s is shown as %s', (since, words) => {
    expect(spanSince(since, NOW)).toBe(words);
  });
});

describe('the end of a snooze', () => {
  it.each([
    [null, 'UTC', 'Snoozed until they write'],
    ['2026-11-21T18:00:00.000Z', 'UTC', 'Snoozed until Sat 18:00'],
    ['2026-11-23T09:00:00.000Z', 'Europe/Lisbon', 'Snoozed until Mon 09:00'],
    ['2026-11-23T09:00:00.000Z', 'Asia/Tokyo', 'Snoozed until Mon 18:00'],
    // A weekday alone would mean this week's.
    ['2026-11-28T09:00:00.000Z', 'UTC', 'Snoozed until Sat, Nov 28, 09:00'],
  ])('at %s in %s is shown as: %s', (until, timeZone, words) => {
    expect(snoozeWords({ until }, NOW, timeZone)).toBe(words);
  });
});
