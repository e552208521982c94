import { describe, expect, it } from 'vitest';
import { dueOf } from './due.ts';

const at = (year: number, month: number, day: number, hour = 12, minute = 0) =>
  new Date(year, month - 1, day, hour, minute);
const now = at(2026, 11, 21).getTime();
const due = (date: Date) => dueOf(date.toISOString(), now);

describe('the due date of a promise', () => {
  it.each([
    [at(2026, 11, 21, 18, 30), 'Today, 18:30'],
    [at(2026, 11, 21, 0, 5), 'Today, 00:05'],
    [at(2026, 11, 22, 0, 0), 'Tomorrow, 00:00'],
    [at(2026, 11, 20, 23, 59), 'Yesterday, 23:59'],
    [at(2026, 11, 27, 9, 0), 'Fri, Nov 27, 09:00'],
    [at(2027, 1, 2, 9, 0), 'Jan 2, 2027, 09:00'],
  ])('%s reads at noon of Nov 21: %s', (date, text) => {
    expect(due(date).text).toBe(text);
  });

  it('is reached at its minute, not before', () => {
    expect(due(at(2026, 11, 21, 12, 0)).isDue).toBe(true);
    expect(due(at(2026, 11, 21, 12, 1)).isDue).toBe(false);
    expect(due(at(2026, 11, 20)).isDue).toBe(true);
  });
});
