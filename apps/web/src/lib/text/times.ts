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

/** Formats a number of minutes, as hours if it is a multiple of 60: `45 minutes`, `2 hours`. */
export function formatMinutes(minutes: number): string {
  if (minutes % 60 === 0) return formatHours(minutes / 60);
  const options = { style: 'unit', unit: 'minute', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(locale, options).format(minutes);
}

/** Formats a number of hours, as days if it is a multiple of 24: `12 hours`, `3 days`. */
export function formatHours(hours: number): string {
  const isDays = hours % 24 === 0;
  const unit = isDays ? 'day' : 'hour';
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(isDays ? hours / 24 : hours);
}
