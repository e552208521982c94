import type { Subscription } from '@stagedoor/contract/subscriptions';
import { language, locale as pageLocale, t } from '../../lib/i18n.ts';

/** How a fan stands, in words. */
export interface SubscriptionWords {
  /** As 'Trial · 3 days left'. */
  readonly text: string;
  /** The same where there is little room: without what goes without saying. */
  readonly short: string;
  /** Whether today is the last day: the fan is worth a message. */
  readonly endsToday: boolean;
}

/** Days before its end from which on a subscription's end is counted down. A trial's always is. */
const COUNTDOWN_DAYS = 7;
const DAY_MS = 86_400_000;
/** English has many ways to write dates: the viewer's own is taken. */
const DATES = language === 'en' ? undefined : pageLocale;

/**
 * What to say of a trial or subscription. Days are the calendar's, as people count them; what ends at midnight ends with the
 * day before.
 * @param now in milliseconds
 * @param timeZone whose days; the viewer's own unless given
 */
export function subscriptionWords(
  { status, ends_at }: Subscription,
  now: number,
  timeZone?: string,
): SubscriptionWords {
  const isTrial = status === 'trial';
  const plain = (text: string) => ({ text, short: text, endsToday: false });
  if (ends_at === null) return plain(isTrial ? t('Trial') : t('Subscribed'));
  const ends = Date.parse(ends_at);
  if (ends <= now) return plain(isTrial ? t('Trial ended') : t('Subscription ended'));
  const days = dayOf(ends - 1, timeZone) - dayOf(now, timeZone);
  if (isTrial) {
    if (days <= 0) return { ...plain(t('Trial ends today')), endsToday: true };
    if (days === 1) return plain(t('Trial ends tomorrow'));
    return plain(t('Trial · {days, plural, one {# day left} other {# days left}}', { days }));
  }
  if (days <= 0)
    return { text: t('Subscription ends today'), short: t('Ends today'), endsToday: true };
  if (days > COUNTDOWN_DAYS) return plain(t('Subscribed'));
  if (days === 1)
    return { text: t('Subscription ends tomorrow'), short: t('Ends tomorrow'), endsToday: false };
  return {
    text: t('Subscription ends in {days, plural, one {# day} other {# days}}', { days }),
    short: t('Ends in {days, plural, one {# day} other {# days}}', { days }),
    endsToday: false,
  };
}

/**
 * When it ends or ended: as 'until Nov 24, 6:00 PM'. Null for one without an end.
 * @param now in milliseconds
 * @param timeZone the viewer's own unless given
 * @param locale how dates are written: unless given as in the page's language, where that is English as the browser's
 */
export function endWords(
  { ends_at }: Subscription,
  now: number,
  timeZone?: string,
  locale = DATES,
): string | null {
  if (ends_at === null) return null;
  const ends = Date.parse(ends_at);
  const year = yearOf(ends, timeZone) === yearOf(now, timeZone) ? undefined : 'numeric';
  const format = new Intl.DateTimeFormat(locale, {
    year,
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
  // Browsers part the time from its AM or PM by a narrow space of one kind or another.
  const at = format.format(ends).replaceAll(/\s/g, ' ');
  return ends <= now ? t('on {time}', { time: at }) : t('until {time}', { time: at });
}

const calendars = new Map<string | undefined, Intl.DateTimeFormat>();

/** The numbers of the year, month and day in which an instant lies. */
function dateOf(instant: number, timeZone: string | undefined): readonly [number, number, number] {
  let calendar = calendars.get(timeZone);
  if (!calendar) {
    calendar = new Intl.DateTimeFormat('en', {
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      timeZone,
    });
    calendars.set(timeZone, calendar);
  }
  const parts = calendar.formatToParts(instant);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  return [part('year'), part('month'), part('day')];
}

const yearOf = (instant: number, timeZone: string | undefined) => dateOf(instant, timeZone)[0];

/** The day in which an instant lies, counted from any beginning: days differ by one however long they are. */
function dayOf(instant: number, timeZone: string | undefined): number {
  const [year, month, day] = dateOf(instant, timeZone);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}
