import { locale, t } from '../../lib/text/i18n.ts';

/** When a promise is due, in words, and how urgent that is. */
export interface Due {
  /** As `Today, 18:00`. */
  readonly text: string;
  /** Whether its time has come. */
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

/** Days are those of the viewer's calendar. @param now in milliseconds */
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

/** The local day, counted from any beginning. */
const dayOf = (at: Date) =>
  Math.round(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000);

/** An instant as a field for local date and time takes it; empty for none. */
export function toField(iso: string | null): string {
  if (iso === null) return '';
  const at = new Date(iso);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

const COMPLETE = /^\d{4,}-\d\d-\d\dT\d\d:\d\d/;

/** The instant that such a field means; null for an empty or unfinished one, from which engines make dates of their own. */
export function fromField(value: string): string | null {
  const at = new Date(COMPLETE.test(value) ? value : Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
