import { expect, it } from 'vitest';
import { isQuietAt, minuteOf, timeText } from './quiet-hours.ts';

it('a minute of the day survives formatting and parsing', () => {
  for (const minute of [0, 1, 59, 60, 8 * 60, 1_439]) {
    expect(minuteOf(timeText(minute))).toBe(minute);
  }
  expect(minuteOf('')).toBeNull();
});

it('quiet hours can span midnight', () => {
  const night = { quiet: { from: 22 * 60, to: 8 * 60 } };
  const at = (hours: number) => new Date(2026, 10, 21, hours);
  expect([21, 22, 3, 7, 8].map((hour) => isQuietAt(night, at(hour)))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(isQuietAt({ quiet: null }, at(3))).toBe(false);
});
