import { expect, test } from 'vitest';
import { isQuiet, minuteOfDay } from './quiet-hours.ts';

const at = (time: string) => Date.parse(`2026-11-21T${time}:00Z`);
const NIGHT = { from: 22 * 60, to: 8 * 60 };

test('minutes are in the admin’s time zone', () => {
  expect(minuteOfDay('UTC', at('00:00'))).toBe(0);
  expect(minuteOfDay('Europe/Lisbon', at('14:30'))).toBe(14 * 60 + 30);
  expect(minuteOfDay('Asia/Kolkata', at('18:30'))).toBe(0);
});

test('quiet hours may cross midnight, include their first minute and exclude their last', () => {
  expect(isQuiet(NIGHT, 'UTC', at('21:59'))).toBe(false);
  expect(isQuiet(NIGHT, 'UTC', at('22:00'))).toBe(true);
  expect(isQuiet(NIGHT, 'UTC', at('03:00'))).toBe(true);
  expect(isQuiet(NIGHT, 'UTC', at('07:59'))).toBe(true);
  expect(isQuiet(NIGHT, 'UTC', at('08:00'))).toBe(false);
  expect(isQuiet({ from: 60, to: 120 }, 'UTC', at('01:30'))).toBe(true);
  expect(isQuiet({ from: 60, to: 120 }, 'UTC', at('02:00'))).toBe(false);
});

test('without quiet hours it is never quiet; with equal ends it always is', () => {
  expect(isQuiet(null, 'UTC', at('03:00'))).toBe(false);
  expect(isQuiet({ from: 60, to: 60 }, 'UTC', at('12:00'))).toBe(true);
});
