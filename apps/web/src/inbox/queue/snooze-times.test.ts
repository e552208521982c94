import { describe, expect, it } from 'vitest';
import { snoozeChoices } from './snooze-times.ts';

/** In the local time of the test run, as the options are. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
const choices = (now: Date) =>
  Object.fromEntries(snoozeChoices(now).map(({ label, until }) => [label, until]));

describe('snooze options', () => {
  it('are in local time, on a day in the middle of the week', () => {
    expect(choices(at(18, 10, 30))).toEqual({
      'In 1 hour': at(18, 11, 30),
      'This evening': at(18, 18),
      Tomorrow: at(19, 9),
      Monday: at(23, 9),
      'Until they write': null,
    });
  });

  it('leave out the evening if it is near or past', () => {
    expect(choices(at(18, 17, 30))).not.toHaveProperty('This evening');
    expect(choices(at(18, 21))).not.toHaveProperty('This evening');
  });

  it('leave out Monday on a Sunday, when it is tomorrow', () => {
    expect(choices(at(22, 10))).not.toHaveProperty('Monday');
    expect(choices(at(22, 10)).Tomorrow).toEqual(at(23, 9));
  });

  it('use the next Monday on a Monday, and 09:00 of the next day late in the evening', () => {
    expect(choices(at(23, 8)).Monday).toEqual(at(30, 9));
    expect(choices(at(30, 23)).Tomorrow).toEqual(new Date(2026, 11, 1, 9));
  });
});
