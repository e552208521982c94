import { describe, expect, it } from 'vitest';
import {
  clockChangeOf,
  daysFrom,
  gapsIn,
  movedBy,
  piecesOf,
  resizedBy,
  secondsWithin,
  weekStart,
} from './week.ts';

const BERLIN = 'Europe/Berlin';
const shift = (starts_at: string, ends_at: string) => ({
  starts_at: new Date(starts_at).toISOString(),
  ends_at: new Date(ends_at).toISOString(),
});
const placed = (items: ReturnType<typeof shift>[], date: string) =>
  piecesOf(items, daysFrom(date, BERLIN), BERLIN).map(({ day, from, to, isEnd, lane, lanes }) => [
    day,
    from / 60,
    to / 60,
    isEnd,
    lane,
    lanes,
  ]);

describe('a week', () => {
  it('begins on the first weekday of the region', () => {
    expect(weekStart('2026-11-26', 1)).toBe('2026-11-23');
    expect(weekStart('2026-11-26', 0)).toBe('2026-11-22');
    expect(weekStart('2026-11-23', 1)).toBe('2026-11-23');
  });

  it('has days of 23 and 25 hours when the clocks change', () => {
    const changes = (date: string) => daysFrom(date, BERLIN).map(clockChangeOf);
    expect(changes('2027-03-22')).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(changes('2026-10-19')).toEqual([0, 0, 0, 0, 0, 0, -1]);
    expect(changes('2026-11-23')).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('shifts in a week', () => {
  it('are split at midnight of the zone', () => {
    const night = shift('2026-11-23T21:00Z', '2026-11-24T05:00Z');
    expect(placed([night], '2026-11-23')).toEqual([
      [0, 22, 24, false, 0, 1],
      [1, 0, 6, true, 0, 1],
    ]);
    expect(placed([night], '2026-11-30')).toEqual([]);
  });

  it('are placed by local time on days when the clocks change', () => {
    // Midnight to 9:00 is 8 hours in spring and 10 in autumn.
    const spring = shift('2027-03-27T23:00Z', '2027-03-28T07:00Z');
    expect(placed([spring], '2027-03-22')).toEqual([[6, 0, 9, true, 0, 1]]);
    const autumn = shift('2026-10-24T22:00Z', '2026-10-25T08:00Z');
    expect(placed([autumn], '2026-10-19')).toEqual([[6, 0, 9, true, 0, 1]]);
    // From the first 2:30 to the second 2:15.
    const twice = shift('2026-10-25T00:30Z', '2026-10-25T01:15Z');
    expect(placed([twice], '2026-10-19')).toEqual([[6, 2.5, 2.75, true, 0, 1]]);
  });

  it('share the width only with those that they overlap', () => {
    const at = (from: number, to: number) =>
      shift(`2026-11-23T${String(from).padStart(2, '0')}:00Z`, `2026-11-23T${to}:00Z`);
    expect(placed([at(8, 12), at(10, 14), at(12, 16), at(16, 18)], '2026-11-23')).toEqual([
      [0, 9, 13, true, 0, 2],
      [0, 11, 15, true, 1, 2],
      [0, 13, 17, true, 0, 2],
      [0, 17, 19, true, 0, 1],
    ]);
  });

  it('are stacked if they begin at least an hour apart, otherwise placed side by side', () => {
    const at = (from: string, to: string) => shift(`2026-11-23T${from}Z`, `2026-11-23T${to}Z`);
    const stacked = (...items: ReturnType<typeof shift>[]) =>
      piecesOf(items, daysFrom('2026-11-23', 'UTC'), 'UTC', true).map(
        ({ lane, lanes, isStacked }) => [lane, lanes, isStacked],
      );
    const day = [at('08:00', '16:00'), at('09:00', '17:00'), at('16:00', '20:00')];
    expect(stacked(...day)).toEqual([
      [0, 3, true],
      [1, 3, true],
      [2, 3, true],
    ]);
    expect(stacked(at('08:00', '16:00'), at('08:45', '17:00'), at('16:00', '20:00'))).toEqual([
      [0, 2, false],
      [1, 2, false],
      [0, 2, false],
    ]);
    expect(stacked(at('08:00', '16:00'), at('16:00', '20:00'))).toEqual([
      [0, 1, false],
      [0, 1, false],
    ]);
  });

  it('keep their time of day when they are moved across a change of clocks', () => {
    const before = shift('2027-03-27T08:00Z', '2027-03-27T16:00Z');
    const day = 24 * 60;
    expect(movedBy(before, day, BERLIN)).toEqual(shift('2027-03-28T07:00Z', '2027-03-28T15:00Z'));
    const after = shift('2026-11-23T08:00Z', '2026-11-23T16:00Z');
    expect(movedBy(after, -15, BERLIN)).toEqual(shift('2026-11-23T07:45Z', '2026-11-23T15:45Z'));
  });

  it('stay in the second of two equal hours when the clocks go back', () => {
    // From 22:00 to the second 2:30.
    const night = shift('2026-10-24T20:00Z', '2026-10-25T01:30Z');
    expect(movedBy(night, 15, BERLIN)).toEqual(shift('2026-10-24T20:15Z', '2026-10-25T01:45Z'));
    expect(resizedBy(night, -15, BERLIN)).toEqual(shift('2026-10-24T20:00Z', '2026-10-25T01:15Z'));
  });

  it('stay between 15 minutes and 24 hours long', () => {
    const one = shift('2026-11-23T08:00Z', '2026-11-23T09:00Z');
    expect(resizedBy(one, 30, BERLIN)).toEqual(shift('2026-11-23T08:00Z', '2026-11-23T09:30Z'));
    expect(resizedBy(one, -90, BERLIN)).toEqual(shift('2026-11-23T08:00Z', '2026-11-23T08:15Z'));
    expect(resizedBy(one, 3_000, BERLIN)).toEqual(shift('2026-11-23T08:00Z', '2026-11-24T08:00Z'));
  });

  it('leave gaps between them, but none in the past or during an overlapping shift', () => {
    const days = daysFrom('2026-11-23', BERLIN).slice(0, 2);
    const all = [
      shift('2026-11-23T08:00Z', '2026-11-23T12:00Z'),
      shift('2026-11-23T09:00Z', '2026-11-23T10:00Z'),
      shift('2026-11-23T18:00Z', '2026-11-24T20:00Z'),
    ];
    const gaps = (now: string) =>
      gapsIn(all, days, BERLIN, Date.parse(now)).map(({ day, from, to }) => ({ day, from, to }));
    const last = { day: 1, from: 21 * 60, to: 24 * 60 };
    expect(gaps('2026-11-22T08:00Z')).toEqual([
      { day: 0, from: 0, to: 9 * 60 },
      { day: 0, from: 13 * 60, to: 19 * 60 },
      last,
    ]);
    expect(gaps('2026-11-23T16:00Z')).toEqual([{ day: 0, from: 17 * 60, to: 19 * 60 }, last]);
    expect(gaps('2026-11-24T08:00Z')).toEqual([last]);
  });

  it('leave gaps that count elapsed time when the clocks change', () => {
    const sunday = (date: string, shifts: ReturnType<typeof shift>[] = []) =>
      gapsIn(shifts, daysFrom(date, BERLIN).slice(6), BERLIN, 0);
    const all = { day: 0, from: 0, to: 24 * 60 };
    expect(sunday('2027-03-22')).toEqual([{ ...all, minutes: 23 * 60 }]);
    expect(sunday('2026-10-19')).toEqual([{ ...all, minutes: 25 * 60 }]);
    // Until the second 2:30.
    const night = shift('2026-10-24T20:00Z', '2026-10-25T01:30Z');
    expect(sunday('2026-10-19', [night])).toEqual([{ ...all, from: 2.5 * 60, minutes: 21.5 * 60 }]);
    // From the first 2:30 to the second 2:30.
    const hour = [
      shift('2026-10-24T20:00Z', '2026-10-25T00:30Z'),
      shift('2026-10-25T01:30Z', '2026-10-25T23:00Z'),
    ];
    expect(sunday('2026-10-19', hour)).toEqual([
      { day: 0, from: 2.5 * 60, to: 2.5 * 60, minutes: 60 },
    ]);
  });

  it('count only with their hours within the week', () => {
    const days = daysFrom('2026-11-23', BERLIN);
    const into = shift('2026-11-29T21:00Z', '2026-11-30T05:00Z');
    const all = [into, shift('2026-11-24T08:00Z', '2026-11-24T09:00Z')];
    expect(secondsWithin(all, days)).toBe(3 * 3_600);
  });
});
