const DAY_MS = 24 * 3_600_000;

/** A calendar day in a time zone. Days are contiguous; most have 24 hours. */
export interface ZonedDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Its first instant, in milliseconds since the epoch. */
  readonly start: number;
}

/**
 * Returns the days of a time zone that overlap a time span, earliest first.
 * @param from milliseconds since the epoch
 * @param end the first instant after the span
 */
export function daysOf(from: number, end: number, timeZone: string): ZonedDay[] {
  if (from >= end) return [];
  const offsetAt = remembered(clockOffset(timeZone));
  const days: ZonedDay[] = [];
  // Start a day early: clocks are up to 14 hours ahead of UTC, and a clock set back across midnight repeats the previous day.
  const first = Math.floor(from / DAY_MS) * DAY_MS - DAY_MS;
  for (let midnight = first; ; midnight += DAY_MS) {
    const start = startOf(midnight, offsetAt);
    if (start >= end) break;
    days.push({ date: new Date(midnight).toISOString().slice(0, 10), start });
  }
  const begun = days.findLastIndex(({ start }) => start <= from);
  return days.slice(Math.max(0, begun));
}

/** Returns how many milliseconds a clock is ahead of UTC at an instant. */
type Offset = (instant: number) => number;

/**
 * Returns the first instant at which a clock shows a midnight, or at which the clock is set forward past it.
 * @param midnight the midnight in UTC, less than a day away from the result
 */
function startOf(midnight: number, offsetAt: Offset): number {
  const [before, after] = [offsetAt(midnight - DAY_MS), offsetAt(midnight + DAY_MS)];
  if (before === after) return midnight - before;
  const candidates = [midnight - before, midnight - after];
  const shown = candidates.filter((instant) => instant + offsetAt(instant) === midnight);
  // The clock skipped midnight: the day begins at the jump.
  return shown.length > 0 ? Math.min(...shown) : midnight - before;
}

/**
 * Moves a span back by as few whole calendar days as possible, so that the new span ends no later than the old span begins.
 * @param from milliseconds since the epoch
 * @param end the first instant after the span, later than `from`
 */
export function daysBefore(
  from: number,
  end: number,
  timeZone: string,
): { readonly from: number; readonly end: number } {
  const offsetAt = remembered(clockOffset(timeZone));
  const back = (instant: number, days: number) => {
    const there = instant - days * DAY_MS;
    return there + offsetAt(instant) - offsetAt(there);
  };
  // Starts one day below the span's length in 24-hour days, rounded up: a day with a clock change is longer or shorter, so one
  // day fewer can be enough, or one more can be needed.
  let days = Math.max(1, Math.ceil((end - from) / DAY_MS) - 1);
  while (back(end, days) > from) days += 1;
  return { from: back(from, days), end: back(end, days) };
}

function clockOffset(timeZone: string): Offset {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const [month = 1, day = 1, year = 0, ...time] = (
      format.format(instant).match(/\d+/g) ?? []
    ).map(Number);
    const [hour = 0, minute = 0, second = 0] = time;
    const shown = Date.UTC(year, month - 1, day, hour, minute, second);
    return shown - Math.floor(instant / 1_000) * 1_000;
  };
}

/** Caches offsets, because neighboring days need the same offsets and formatting is slow. */
function remembered(offsetAt: Offset): Offset {
  const known = new Map<number, number>();
  return (instant) => {
    const found = known.get(instant) ?? offsetAt(instant);
    known.set(instant, found);
    return found;
  };
}
