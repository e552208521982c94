import { locale, t } from './i18n.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const shortDate = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });
const exactTime = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const wholeNumber = new Intl.NumberFormat(locale);

/** Returns how long ago an instant was, as lists show it; empty for an invalid instant. `now` is in milliseconds. */
export function relativeTime(iso: string | null, now: number): string {
  const at = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(at)) return '';
  const age = now - at;
  if (age < HOUR_MS) return t('Just now');
  if (age < DAY_MS) return t('{hours}h ago', { hours: Math.floor(age / HOUR_MS) });
  if (age < 2 * DAY_MS) return t('Yesterday');
  return shortDate.format(at);
}

/** Returns the exact local time of an instant, for a tooltip; empty for an invalid instant. */
export function exactTimeOf(iso: string | null): string {
  const at = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? '' : exactTime.format(at);
}

/** Formats a count with thousands separators. */
export function formatCount(count: number): string {
  return wholeNumber.format(count);
}

/** Formats a length of time in hours and minutes, without a part that is 0. */
export function lengthText(seconds: number): string {
  const whole = Math.round(seconds / 60);
  const [hours, minutes] = [Math.floor(whole / 60), whole % 60];
  if (hours === 0) return t('{minutes} min', { minutes });
  return minutes === 0
    ? t('{hours} h', { hours })
    : t('{hours} h {minutes} min', { hours, minutes });
}

interface Named {
  first_name: string | null;
  last_name: string | null;
  username: string | null;
  email: string | null;
}

/** Returns a person's display name: their name, else their username, else their email address. */
export function displayName({ first_name, last_name, username, email }: Named): string {
  const fullName = [first_name, last_name]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ');
  return fullName || username?.trim() || email?.trim() || t('Unnamed fan');
}

/** Returns one of 12 hues in degrees, always the same one for the same text. */
export function hueOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return (hash % 12) * 30;
}

/** Returns a color derived from a text, for a person or tag without a set color. */
export function colorOf(text: string): string {
  return `oklch(0.62 0.15 ${hueOf(text)})`;
}
