import { locale } from './i18n.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}

/** Returns this browser's time zone as an IANA name. */
export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export interface FanZone {
  zone: string;
  /** The fan's name. */
  name: string;
}

/** Returns a fan's time zone if it is known and differs from this browser's, otherwise null. */
export function fanZoneOf(zone: string | null, name: string): FanZone | null {
  return zone !== null && zone !== ownZone() && isKnownZone(zone) ? { zone, name } : null;
}

/** Returns whether this browser knows a time zone. */
export function isKnownZone(zone: string): boolean {
  try {
    formatIn(zone);
    return true;
  } catch {
    return false;
  }
}

/** Returns the local time in a zone at an instant (milliseconds), in the format of date fields: `2026-11-21T18:00`. */
export function toLocal(instant: number, zone: string): string {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute } = parts;
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/**
 * Returns the instant (milliseconds) of a local time such as `2026-11-21T18:00` in a zone; null for an invalid text. A time that
 * occurs twice gives the first instant; a skipped time is moved forward by the length of the gap.
 */
export function fromLocal(local: string, zone: string): number | null {
  const [before, after] = candidates(local, zone);
  if (before === undefined || after === undefined) return null;
  if (toLocal(before, zone) === local) return before;
  return toLocal(after, zone) === local ? after : before;
}

/** Returns whether a clock change skips or repeats a valid local time in a zone; null if neither. */
export function clockChangeAt(local: string, zone: string): 'skipped' | 'twice' | null {
  const found = candidates(local, zone).filter((instant) => toLocal(instant, zone) === local);
  if (found.length === 0) return 'skipped';
  return found[0] === found[1] || found.length === 1 ? null : 'twice';
}

/** Returns the two possible instants of a local time, based on the zone's offsets a day earlier and a day later. */
function candidates(local: string, zone: string): number[] {
  const asUtc = Date.parse(`${local}Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(local) || Number.isNaN(asUtc)) return [];
  const offsetAt = (instant: number) => Date.parse(`${toLocal(instant, zone)}Z`) - instant;
  return [asUtc - offsetAt(asUtc - DAY_MS), asUtc - offsetAt(asUtc + DAY_MS)];
}

/** Returns a local time in a zone: the date `days` days after an instant's date, at a time of day such as `09:00`. */
export function dayAt(instant: number, zone: string, days: number, time: string): string {
  const [day = ''] = toLocal(instant, zone).split('T');
  const moved = new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS);
  return `${moved.toISOString().slice(0, 10)}T${time}`;
}

/** Formats a local time: only the time of day if `isBrief`, otherwise with the day. */
export function formatLocal(local: string, isBrief: boolean): string {
  return new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    hour: '2-digit',
    minute: '2-digit',
    ...(!isBrief && { weekday: 'short', month: 'short', day: 'numeric' }),
  }).format(Date.parse(`${local}Z`));
}

const sameDay = (a: number, b: number, zone: string) =>
  toLocal(a, zone).slice(0, 10) === toLocal(b, zone).slice(0, 10);

/** Formats an instant briefly: `18:00` if it is today, otherwise with the day. `now` is in milliseconds. */
export function formatMoment(instant: number, now: number, zone: string): string {
  const isToday = sameDay(instant, now, zone);
  return new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    ...(!isToday && { weekday: 'short', month: 'short', day: 'numeric' }),
  }).format(instant);
}
