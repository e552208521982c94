/** Hours without notifications, in minutes since the admin's midnight. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** Returns the minute of the day in a time zone. @param now milliseconds */
export function minuteOfDay(timeZone: string, now: number): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: 'hour' | 'minute') =>
    Number(parts.find((candidate) => candidate.type === type)?.value ?? 0);
  return part('hour') * 60 + part('minute');
}

/**
 * Checks whether `now` (milliseconds) is in the quiet hours. They may cross midnight; an equal start and end mean the whole day.
 */
export function isQuiet(quiet: QuietHours | null, timeZone: string, now: number): boolean {
  if (quiet === null) return false;
  const minute = minuteOfDay(timeZone, now);
  const { from, to } = quiet;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
