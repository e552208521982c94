import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { t } from '../../lib/text/i18n.ts';

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

const calendars = new Map<string | undefined, Intl.DateTimeFormat>();

/** The numbers of the year, month and day in which an instant lies. */
export function dateOf(
  instant: number,
  timeZone: string | undefined,
): readonly [number, number, number] {
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

/** The day in which an instant lies, counted from any beginning: days differ by one however long they are. */
function dayOf(instant: number, timeZone: string | undefined): number {
  const [year, month, day] = dateOf(instant, timeZone);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}
