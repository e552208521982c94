import { locale } from './i18n.ts';

const shortDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const timeOfDay = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
});

/** Formats the local date of an instant, with its year; empty for an invalid instant. */
export function dateOf(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? '' : shortDay.format(at);
}

/** Formats the local time of day, as `14:02`; empty for an invalid instant. */
export function clockTime(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? '' : timeOfDay.format(at);
}

const inUnit = (unit: 'minute' | 'hour' | 'day') =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });

/** Formats a number of minutes, as hours if it is a multiple of 60: `45 minutes`, `2 hours`. */
export function formatMinutes(minutes: number): string {
  return minutes % 60 === 0 ? formatHours(minutes / 60) : inUnit('minute').format(minutes);
}

/** Formats a number of hours, as days if it is a multiple of 24: `12 hours`, `3 days`. */
export function formatHours(hours: number): string {
  return hours % 24 === 0 ? inUnit('day').format(hours / 24) : inUnit('hour').format(hours);
}
