import { firstWeekday } from '../../lib/text/typed-time.ts';
import { fromLocal, toLocal } from '../../lib/text/zoned-time.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const DAY_MINUTES = 24 * 60;
/** The step in which shifts are moved, and a shift's minimum length. */
export const STEP_MINUTES = 15;
const LONGEST_MINUTES = DAY_MINUTES;
/** The minimum time between the starts of stacked shifts, so that the name and times of the shift below stay visible. */
const STACK_MINUTES = 60;

/** When a shift or a clock begins and ends. */
export interface Times {
  readonly starts_at: string;
  readonly ends_at: string;
}

/** A day of a week, with the instants (milliseconds) at which it begins and ends in the week's time zone. */
export interface Day {
  /** As `2026-11-23`. */
  readonly date: string;
  readonly start: number;
  readonly end: number;
}

/** The part of a shift or a clock within one day, and its position beside others. */
export interface Piece<Item> {
  readonly item: Item;
  /** The index of the day in the week. */
  readonly day: number;
  /** The local time of day, in minutes after midnight. */
  readonly from: number;
  readonly to: number;
  readonly isEnd: boolean;
  readonly lane: number;
  /** The number of lanes for this piece and all pieces that overlap it. */
  readonly lanes: number;
  /** Whether pieces in later lanes are drawn over this piece instead of beside it. */
  readonly isStacked: boolean;
}

/** Returns the date `days` days after a date. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the first date of the calendar week that contains a date. @param first the first weekday, 0 for Sunday */
export function weekStart(date: string, first: number = firstWeekday()): string {
  const weekday = new Date(`${date}T00:00Z`).getUTCDay();
  return addDays(date, -((weekday - first + 7) % 7));
}

/** Returns the seven days from a date on. A day on which the clocks change has 23 or 25 hours. */
export function daysFrom(date: string, zone: string): Day[] {
  const startOf = (index: number) => fromLocal(`${addDays(date, index)}T00:00`, zone) ?? 0;
  return Array.from({ length: 7 }, (_, index) => ({
    date: addDays(date, index),
    start: startOf(index),
    end: startOf(index + 1),
  }));
}

/** Returns the clock change on a day in hours: 1 if the clocks go forward, -1 if they go back, usually 0. */
export const clockChangeOf = ({ start, end }: Day): number =>
  (DAY_MS - (end - start)) / (60 * MINUTE_MS);

/** Returns the minute of the day of an instant in a zone. */
export function minuteOf(instant: number, zone: string): number {
  const [hours = 0, minutes = 0] = toLocal(instant, zone).slice(11).split(':').map(Number);
  return hours * 60 + minutes;
}

/**
 * Splits shifts or clocks by day, and places overlapping pieces beside each other.
 * @param canStack whether a piece may be drawn over pieces that begin at least an hour earlier, below their names and times
 */
export function piecesOf<Item extends Times>(
  items: readonly Item[],
  days: readonly Day[],
  zone: string,
  canStack = false,
): Piece<Item>[] {
  return days.flatMap((day, index) => {
    const pieces = items.flatMap((item) => {
      const [start, end] = [Date.parse(item.starts_at), Date.parse(item.ends_at)];
      if (start >= day.end || end <= day.start) return [];
      const isEnd = end <= day.end;
      const from = start <= day.start ? 0 : minuteOf(start, zone);
      const to = end >= day.end ? DAY_MINUTES : minuteOf(end, zone);
      // When the clocks go back, a shift may end at an earlier time of day than it begins.
      return [{ item, day: index, from, to: Math.max(to, from + STEP_MINUTES), isEnd }];
    });
    return inGroups(pieces).flatMap((group) => inLanes(group, canStack));
  });
}

export const overlap = (one: Times, other: Times): boolean =>
  Date.parse(one.starts_at) < Date.parse(other.ends_at) &&
  Date.parse(other.starts_at) < Date.parse(one.ends_at);

/** A part of a day without a planned shift. */
export interface Gap {
  readonly day: number;
  /** The local time of day, in minutes after midnight. */
  readonly from: number;
  readonly to: number;
  /** The time that passes in it, which differs from the local times when the clocks change. */
  readonly minutes: number;
}

/** Returns the gaps from `now` on. */
export function gapsIn(
  shifts: readonly Times[],
  days: readonly Day[],
  zone: string,
  now: number,
): Gap[] {
  const spans = shifts
    .map(({ starts_at, ends_at }) => ({ from: Date.parse(starts_at), to: Date.parse(ends_at) }))
    .toSorted((a, b) => a.from - b.from);
  return days.flatMap(({ start, end }, day) => {
    const gaps: Gap[] = [];
    let free = Math.max(start, Math.floor(now / MINUTE_MS) * MINUTE_MS);
    for (const span of [...spans, { from: end, to: end }]) {
      const until = Math.min(span.from, end);
      if (until > free) {
        const from = free === start ? 0 : minuteOf(free, zone);
        const to = until === end ? DAY_MINUTES : minuteOf(until, zone);
        const minutes = (until - free) / MINUTE_MS;
        gaps.push({ day, from, to: Math.max(from, to), minutes });
      }
      free = Math.max(free, span.to);
    }
    return gaps;
  });
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Groups the pieces of a day that overlap, directly or through others, in order of time. */
function inGroups<Part extends Span>(pieces: readonly Part[]): Part[][] {
  const groups: Part[][] = [];
  let end = 0;
  for (const piece of pieces.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const group = groups.at(-1);
    if (group === undefined || piece.from >= end) groups.push([piece]);
    else group.push(piece);
    end = Math.max(end, piece.to);
  }
  return groups;
}

function inLanes<Part extends Span>(group: readonly Part[], canStack: boolean) {
  const isStacked =
    canStack &&
    group.length > 1 &&
    group.every(
      ({ from }, index) => from - (group[index - 1]?.from ?? -STACK_MINUTES) >= STACK_MINUTES,
    );
  const ends: number[] = [];
  const placed = group.map((piece) => {
    // In a stack, no piece hides another piece's start edge.
    const free = isStacked
      ? ends.findLastIndex((end) => end > piece.from) + 1
      : ends.findIndex((end) => end <= piece.from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = piece.to;
    return { ...piece, lane, isStacked };
  });
  return placed.map((piece) => ({ ...piece, lanes: ends.length }));
}

function later(instant: number, minutes: number, zone: string): number {
  const asUtc = Date.parse(`${toLocal(instant, zone)}Z`) + minutes * MINUTE_MS;
  const local = new Date(asUtc).toISOString().slice(0, 16);
  // When clocks go back, a local time occurs twice, and `fromLocal` yields only the first of the two instants.
  const straight = instant + minutes * MINUTE_MS;
  return toLocal(straight, zone) === local ? straight : (fromLocal(local, zone) ?? instant);
}

/** Moves a shift by a duration in a zone's local time, so that it keeps its time of day when the clocks change. */
export function movedBy(times: Times, minutes: number, zone: string): Times {
  const start = later(Date.parse(times.starts_at), minutes, zone);
  return timesOf(start, later(Date.parse(times.ends_at), minutes, zone));
}

/** Moves the end of a shift by a duration in a zone's local time, within the limits of a shift's length. */
export function resizedBy(times: Times, minutes: number, zone: string): Times {
  const start = Date.parse(times.starts_at);
  return timesOf(start, later(Date.parse(times.ends_at), minutes, zone));
}

function timesOf(start: number, end: number): Times {
  const shortest = start + STEP_MINUTES * MINUTE_MS;
  const longest = start + LONGEST_MINUTES * MINUTE_MS;
  return {
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(Math.min(Math.max(end, shortest), longest)).toISOString(),
  };
}

/** Returns the total length of shifts or clocks within some days, in seconds. */
export function secondsWithin(items: readonly Times[], days: readonly Day[]): number {
  const [from, to] = [days[0]?.start ?? 0, days.at(-1)?.end ?? 0];
  const lengths = items.map(({ starts_at, ends_at }) =>
    Math.max(0, Math.min(Date.parse(ends_at), to) - Math.max(Date.parse(starts_at), from)),
  );
  return lengths.reduce((sum, length) => sum + length, 0) / 1_000;
}
