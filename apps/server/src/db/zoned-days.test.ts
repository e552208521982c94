import { expect, test } from 'vitest';
import { daysOf } from './zoned-days.ts';

const MINUTE_MS = 60_000;

/** Returns the days that a clock shows, checked every minute. */
function watched(from: number, end: number, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  const days = new Map<string, number>();
  // Starts earlier, so that the start of the first day is found.
  for (let at = from - 26 * 60 * MINUTE_MS; at < end; at += MINUTE_MS) {
    const date = format.format(at);
    if (!days.has(date)) days.set(date, at);
  }
  const all = [...days].map(([date, start]) => ({ date, start }));
  return all.slice(all.findLastIndex(({ start }) => start <= from));
}

test.each([
  ['UTC', '2026-03-01T00:00:00Z'],
  ['Asia/Kathmandu', '2026-03-01T11:11:00Z'],
  ['Pacific/Kiritimati', '2026-03-01T10:30:00Z'],
  ['Pacific/Pago_Pago', '2026-03-01T10:30:00Z'],
  ['Europe/Lisbon', '2026-03-28T00:00:00Z'],
  ['Europe/Lisbon', '2026-10-24T12:00:00Z'],
  ['America/New_York', '2026-10-31T04:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-03T12:00:00Z'],
  // Clocks skip from midnight to one, or go back from one to midnight.
  ['Africa/Cairo', '2026-04-22T12:00:00Z'],
  ['Asia/Beirut', '2026-03-27T12:00:00Z'],
  ['America/Havana', '2026-10-30T12:00:00Z'],
  ['Atlantic/Azores', '2026-10-23T12:00:00Z'],
])('days in %s from %s on start when a clock there first shows them', (timeZone, start) => {
  const from = Date.parse(start);
  for (const hours of [1, 30, 100]) {
    const end = from + hours * 60 * MINUTE_MS;
    expect(daysOf(from, end, timeZone)).toEqual(watched(from, end, timeZone));
  }
});

test('an empty span has no days', () => {
  expect(daysOf(0, 0, 'Europe/Lisbon')).toEqual([]);
});
