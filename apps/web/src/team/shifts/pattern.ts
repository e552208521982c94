import { fromLocal } from '../../lib/text/zoned-time.ts';
import { addDays } from './week.ts';

/** The weekdays of recurrence rules (RFC 5545), from Sunday. */
export const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** A weekly pattern as entered. */
export interface Pattern {
  readonly weekdays: readonly Weekday[];
  /** The last day, as `2026-11-23`; may be empty. */
  readonly until: string;
  /** Days without a shift. */
  readonly except: readonly string[];
}

export const weekdayOf = (date: string): Weekday =>
  WEEKDAYS[new Date(`${date}T00:00Z`).getUTCDay()] ?? 'MO';

/** Returns the recurrence rule of a pattern. Its end is in UTC, as RFC 5545 requires. */
export function ruleOf({ weekdays, until }: Pattern, zone: string): string {
  const end = (fromLocal(`${addDays(until, 1)}T00:00`, zone) ?? 0) - 1_000;
  const stamp = new Date(end).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const days = WEEKDAYS.filter((day) => weekdays.includes(day));
  return `FREQ=WEEKLY;BYDAY=${days.join(',')};UNTIL=${stamp}`;
}
