import { describe, expect, it } from 'vitest';
import { laterTimes } from './later-times.ts';

/** Takes a local time in Tokyo, 9 hours ahead of UTC, and returns the instant. */
const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour - 9, minute);
const times = (now: number) =>
  Object.fromEntries(laterTimes(now, 'Asia/Tokyo').map((each) => [each.label, each.at]));

describe('times to postpone to', () => {
  it('use the clock of the zone, on a day in the middle of the week', () => {
    expect(times(at(18, 8, 30))).toEqual({
      'In 1 hour': at(18, 9, 30),
      'This evening': at(18, 18),
      Tomorrow: at(19, 9),
      Monday: at(23, 9),
    });
  });

  it('leave out the evening if it is near or past', () => {
    expect(times(at(18, 17, 30))).not.toHaveProperty('This evening');
    expect(times(at(18, 21))).not.toHaveProperty('This evening');
  });

  it('leave out Monday on a Sunday, when it is tomorrow', () => {
    expect(times(at(22, 10))).not.toHaveProperty('Monday');
    expect(times(at(22, 10)).Tomorrow).toBe(at(23, 9));
  });

  it('use the next Monday on a Monday, and 09:00 of the next day late in the evening', () => {
    expect(times(at(23, 8)).Monday).toBe(at(30, 9));
    expect(times(at(30, 23)).Tomorrow).toBe(at(31, 9));
  });
});
