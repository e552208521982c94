import { locale, t } from '../../lib/text/i18n.ts';

/** A promise's due date in words, and its urgency. */
export interface Due {
  /** For example `Today, 18:00`. */
  readonly text: string;
  readonly isDue: boolean;
  readonly isToday: boolean;
}

const time = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
});
const weekday = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
});
const withYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });

/**
 * Returns when a promise is due, by the viewer's calendar.
 * @param now in milliseconds
 */
export function dueOf(dueAt: string, now: number): Due {
  const at = new Date(dueAt);
  const days = dayOf(at) - dayOf(new Date(now));
  return {
    text: t('{day}, {time}', { day: dayText(at, days, new Date(now)), time: time.format(at) }),
    isDue: at.getTime() <= now,
    isToday: days === 0,
  };
}

function dayText(at: Date, days: number, now: Date): string {
  if (days === 0) return t('Today');
  if (days === 1) return t('Tomorrow');
  if (days === -1) return t('Yesterday');
  return (at.getFullYear() === now.getFullYear() ? weekday : withYear).format(at);
}

const dayOf = (at: Date) =>
  Math.round(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000);
