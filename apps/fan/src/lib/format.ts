import { locale } from './i18n.ts';

const exactTime = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' });
const timeOfDay = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
});
const list = new Intl.ListFormat(locale, { type: 'unit' });
const longDate = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Formats the local time of day, as `14:02`. */
export const clockTime = (iso: string): string => timeOfDay.format(Date.parse(iso));

export const exactTimeOf = (iso: string): string => exactTime.format(Date.parse(iso));

/** Formats the local date, as `December 5, 2026`. */
export const dateOf = (iso: string): string => longDate.format(Date.parse(iso));

export const asList = (words: readonly string[]): string => list.format(words);
