const DAY_MS = 24 * 3_600_000;

/** A calendar day of a time zone. Days follow on one another; most have 24 hours. */
export interface ZonedDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Its first instant, in milliseconds since the epoch. */
  readonly start: number;
}

/**
 * The days of a time zone that a span of time touches, the first one first.
 * @param from in milliseconds since the epoch
 * @param end the first instant that is out of it
 */
export function daysOf(from: number, end: number, timeZone: string): ZonedDay[] {
  if (from >= end) return [];
  const offsetAt = remembered(clockOffset(timeZone));
  const days: ZonedDay[] = [];
  // A day early: clocks are up to 14 hours ahead, and one set back over midnight shows the day before once more.
  const first = Math.floor(from / DAY_MS) * DAY_MS - DAY_MS;
  for (let midnight = first; ; midnight += DAY_MS) {
    const start = startOf(midnight, offsetAt);
    if (start >= end) break;
    days.push({ date: new Date(midnight).toISOString().slice(0, 10), start });
  }
  const begun = days.findLastIndex(({ start }) => start <= from);
  return days.slice(Math.max(0, begun));
}

/** By how many milliseconds a clock is ahead of UTC at an instant. */
type Offset = (instant: number) => number;

/**
 * When a clock first shows a midnight, or skips it. Clocks are set back as well as forward.
 * @param midnight as though it were UTC's, which is less than a day away
 */
function startOf(midnight: number, offsetAt: Offset): number {
  const [before, after] = [offsetAt(midnight - DAY_MS), offsetAt(midnight + DAY_MS)];
  if (before === after) return midnight - before;
  const candidates = [midnight - before, midnight - after];
  const shown = candidates.filter((instant) => instant + offsetAt(instant) === midnight);
  // What is skipped begins with the skipping, which is where the clock would have come to midnight.
  return shown.length > 0 ? Math.min(...shown) : midnight - before;
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

/** Each day asks about the days beside it: formatting is what takes the time. */
function remembered(offsetAt: Offset): Offset {
  const known = new Map<number, number>();
  return (instant) => {
    const found = known.get(instant) ?? offsetAt(instant);
    known.set(instant, found);
    return found;
  };
}
