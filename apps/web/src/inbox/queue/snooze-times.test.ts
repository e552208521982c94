import { describe, expect, it } from 'vitest';
import { snoozeChoices } from './snooze-times.ts';

/** By the clock of whoever runs the tests, as the viewer's is whatever it is. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute);
const choices = (now: Date) =>
  Object.fromEntries(snoozeChoices(now).map(({ label, until }) => [label, until]));

describe('times until which something is put off', () => {
  it('are by the viewer’s clock, on a day in the middle of the week', () => {
    expect(choices(at(18, 10, 30))).toEqual({
      'In 1 hour': at(18, 11, 30),
      'This evening': at(18, 18),
      Tomorrow: at(19, 9),
      Monday: at(23, 9),
      'Until they write': null,
    });
  });

  it('leave out the evening when it is near or over', () => {
    expect(choices(at(18, 17, 30))).not.toHaveProperty('This evening');
    expect(choices(at(18, 21))).not.toHaveProperty('This evening');
  });

  it('leave out Monday on a Sunday, when it is tomorrow', () => {
    expect(choices(at(22, 10))).not.toHaveProperty('Monday');
    expect(choices(at(22, 10)).Tomorrow).toEqual(at(23, 9));
  });

  it('mean the next Monday on a Monday, and nine o’clock of the same night’s day after midnight’s turn', () => {
    expect(choices(at(23, 8)).Monday).toEqual(at(30, 9));
    expect(choices(at(30, 23)).Tomorrow).toEqual(new Date(2026, 11, 1, 9));
  });
});
