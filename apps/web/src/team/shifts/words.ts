import { locale, t } from '../../lib/text/i18n.ts';
import type { Day, Times } from './week.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([zone, options]);
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
  formats.set(key, format);
  return format;
}

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** Formats a time of day in a zone, as `14:05`. */
export const timeIn = (iso: string, zone: string): string =>
  formatOf(zone, TIME).format(Date.parse(iso));

/** Formats the times of day of a shift, as `09:00 – 17:00`. */
const timesIn = ({ starts_at, ends_at }: Times, zone: string): string =>
  `${timeIn(starts_at, zone)} – ${timeIn(ends_at, zone)}`;

/** Formats a time of day without a leading zero or `:00`, for narrow layouts, as `9` or `9:30`. */
const shortTimeIn = (iso: string, zone: string): string =>
  timeIn(iso, zone)
    .replace(/:00$/, '')
    .replace(/^0(?=\d)/, '');

/** Formats the times of day of a shift briefly, as `9–17` or `16–24`. */
export const shortTimesIn = ({ starts_at, ends_at }: Times, zone: string): string =>
  `${shortTimeIn(starts_at, zone)}–${shortTimeIn(ends_at, zone).replace(/^0$/, '24')}`;

/** Formats the times of a shift on one of its days. If the shift began on an earlier day, the text includes that weekday. */
export const timesOn = ({ start }: Day, times: Times, zone: string): string =>
  Date.parse(times.starts_at) < start
    ? t('{day}, {times}', {
        day: formatOf(zone, { weekday: 'short' }).format(Date.parse(times.starts_at)),
        times: timesIn(times, zone),
      })
    : timesIn(times, zone);

/** Formats the day of an instant in a zone, as `Mon, Nov 23`. */
export const dayIn = (iso: string, zone: string): string =>
  formatOf(zone, DAY).format(Date.parse(iso));

/** Formats when a shift begins and ends, with its day. */
export const spanIn = (times: Times, zone: string): string =>
  t('{day}, {times}', {
    day: dayIn(times.starts_at, zone),
    times: timesIn(times, zone),
  });

/** Formats a date such as `2026-11-23` in parts. */
export const dateIn = (date: string, options: Intl.DateTimeFormatOptions): string =>
  formatOf('UTC', options).format(Date.parse(`${date}T00:00Z`));

/** Formats the first and last day of a week. */
export const weekName = (first: string, last: string): string =>
  formatOf('UTC', { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(
    Date.parse(`${first}T00:00Z`),
    Date.parse(`${last}T00:00Z`),
  );
