const DAY_MS = 24 * 3_600_000;
/** From any midnight, further than a clock is ever set at once. */
const AROUND_MS = 26 * 3_600_000;

/** A calendar day of a time zone. Days follow on one another; the longest so far had 25 hours. */
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
  const wallTime = wallClock(timeZone);
  const days: ZonedDay[] = [];
  // A day before, since a clock set back over midnight shows the day before once more.
  const first = wallTime(from) - (wallTime(from) % DAY_MS) - DAY_MS;
  for (let midnight = first; ; midnight += DAY_MS) {
    const start = startOf(midnight, wallTime);
    if (start >= end) break;
    days.push({ date: new Date(midnight).toISOString().slice(0, 10), start });
  }
  const begun = days.findLastIndex(({ start }) => start <= from);
  return days.slice(Math.max(0, begun));
}

/** What a clock shows at an instant, as though that were UTC. */
type WallClock = (instant: number) => number;

/** When a clock first shows a midnight, or skips it. Clocks are set back as well as forward. */
function startOf(midnight: number, wallTime: WallClock): number {
  const candidates = [midnight - AROUND_MS, midnight + AROUND_MS].map(
    (instant) => midnight - (wallTime(instant) - instant),
  );
  const shown = candidates.filter((instant) => wallTime(instant) === midnight);
  // What is skipped begins with the skipping, which is where the clock would have come to midnight.
  return shown.length > 0 ? Math.min(...shown) : (candidates[0] ?? midnight);
}

function wallClock(timeZone: string): WallClock {
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
    const parts = format.formatToParts(instant);
    const part = (name: Intl.DateTimeFormatPartTypes) =>
      Number(parts.find(({ type }) => type === name)?.value);
    const [year, month, day] = [part('year'), part('month'), part('day')];
    return Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second'));
  };
}
