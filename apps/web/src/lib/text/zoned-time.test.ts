import { describe, expect, it } from 'vitest';
import {
  clockChangeAt,
  dayAt,
  fanZoneOf,
  formatMoment,
  fromLocal,
  isKnownZone,
  ownZone,
  toLocal,
} from './zoned-time.ts';

const at = (iso: string) => Date.parse(iso);

describe('a local time in a zone', () => {
  it.each([
    ['Europe/Lisbon', '2026-07-01T18:00', '2026-07-01T17:00Z'],
    ['Europe/Lisbon', '2026-12-01T18:00', '2026-12-01T18:00Z'],
    ['America/New_York', '2026-11-21T09:30', '2026-11-21T14:30Z'],
    ['Asia/Kathmandu', '2026-11-21T00:00', '2026-11-20T18:15Z'],
    ['Pacific/Kiritimati', '2026-11-21T00:00', '2026-11-20T10:00Z'],
  ])('in %s converts to an instant, and back', (zone, local, iso) => {
    expect(fromLocal(local, zone)).toBe(at(iso));
    expect(toLocal(at(iso), zone)).toBe(local);
  });

  it('that is skipped moves forward, and one that occurs twice means the first', () => {
    expect(fromLocal('2026-03-29T01:30', 'Europe/Lisbon')).toBe(at('2026-03-29T01:30Z'));
    expect(fromLocal('2026-10-25T01:30', 'Europe/Lisbon')).toBe(at('2026-10-25T00:30Z'));
  });

  it('is said to be skipped or to occur twice only if the clocks change', () => {
    expect(clockChangeAt('2026-03-29T01:30', 'Europe/Lisbon')).toBe('skipped');
    expect(clockChangeAt('2026-10-25T01:30', 'Europe/Lisbon')).toBe('twice');
    for (const local of ['2026-03-29T00:30', '2026-03-29T02:00', '2026-10-25T02:00'])
      expect(clockChangeAt(local, 'Europe/Lisbon')).toBeNull();
  });

  it('is null for an invalid text', () => {
    for (const text of ['', '2026-02', '2026-13-01T00:00', 'tomorrow'])
      expect(fromLocal(text, 'Europe/Lisbon')).toBeNull();
  });

  it('on a later day is counted in the zone’s own days', () => {
    expect(dayAt(at('2026-11-21T23:30Z'), 'Asia/Tokyo', 1, '09:00')).toBe('2026-11-23T09:00');
    expect(dayAt(at('2026-12-31T12:00Z'), 'Europe/Lisbon', 1, '09:00')).toBe('2027-01-01T09:00');
  });

  it('is shown without its date if it is today', () => {
    const now = at('2026-11-21T12:00Z');
    expect(formatMoment(at('2026-11-21T18:00Z'), now, 'UTC')).toBe('18:00');
    expect(formatMoment(at('2026-11-23T09:00Z'), now, 'UTC')).toBe('Mon, Nov 23, 09:00');
  });
});

it('a fan’s time zone is returned only if it is known and differs from the browser’s', () => {
  const other = ownZone() === 'Asia/Tokyo' ? 'Europe/Lisbon' : 'Asia/Tokyo';
  expect(fanZoneOf(other, 'Ana')).toEqual({ zone: other, name: 'Ana' });
  for (const zone of [null, ownZone(), 'Moon/Base']) expect(fanZoneOf(zone, 'Ana')).toBeNull();
});

it('known time zones are recognized', () => {
  expect(isKnownZone('Europe/Lisbon')).toBe(true);
  expect(isKnownZone('Moon/Base')).toBe(false);
});
