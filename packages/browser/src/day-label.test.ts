import { expect, it } from 'vitest';
import { dayLabel } from './day-label.ts';

it('names a day by its distance from today', () => {
  const now = new Date(2026, 10, 21, 12);
  const label = (daysAgo: number, hour = 12) =>
    dayLabel(new Date(2026, 10, 21 - daysAgo, hour).toISOString(), now.getTime());
  expect(label(0)).toBe('Today');
  expect(label(1, 23)).toBe('Yesterday');
  expect(label(3)).toBe('Wednesday');
  expect(label(40)).toBe('October 12');
  expect(label(400)).toBe('October 17, 2025');
});
