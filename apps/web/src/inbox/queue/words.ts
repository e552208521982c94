import { locale, t } from '../../lib/text/i18n.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const inUnit = (unit: string) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' });
const [minutes, hours, days] = [inUnit('minute'), inUnit('hour'), inUnit('day')];

/** Returns how long ago an instant was, in its largest whole unit: '14 min'. @param now milliseconds */
export function spanSince(since: string, now: number): string {
  const span = Math.max(0, now - Date.parse(since));
  if (span < HOUR_MS) return minutes.format(Math.floor(span / MINUTE_MS));
  return span < DAY_MS
    ? hours.format(Math.floor(span / HOUR_MS))
    : days.format(Math.floor(span / DAY_MS));
}

/** Returns when a snooze ends, in local time: 'until Mon, Nov 23, 09:00'. */
export function snoozeWords(
  { until }: { until: string | null },
  now: number,
  timeZone?: string,
): string {
  if (until === null) return t('Snoozed until they write');
  return t('Snoozed until {time}', { time: snoozeEnd(until, now, timeZone) });
}

/** Returns the end of a snooze in local time: 'Mon, Nov 23, 09:00'. */
export function snoozeEnd(until: string, now = Date.now(), timeZone?: string): string {
  const isNear = Date.parse(until) - now < 6 * DAY_MS;
  const format = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    ...(isNear ? {} : { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
  return format.format(Date.parse(until));
}
