import { locale } from '../../lib/text/i18n.ts';

const hourFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });

/** Formats an hour of the day, 0 to 23, for the page's language: `22:00`. */
export const formatHour = (hour: number) => hourFormat.format(hour * 3_600_000);
