import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { t } from '../../lib/text/i18n.ts';

export interface SubscriptionWords {
  /** For example 'Trial · 3 days left'. */
  readonly text: string;
  /** A shorter form for narrow layouts. */
  readonly short: string;
  /** The form for a narrow list; `short` if missing. */
  readonly brief?: string;
  /** The badge's color. `good`: the fan is subscribed. `warn`: today is the last day, which is a reason to message the fan. */
  readonly tone: 'good' | 'warn' | 'neutral';
}

/** A subscription shows its remaining days once this number of days or fewer are left. A trial always shows them. */
const COUNTDOWN_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Returns a trial's or subscription's text. Days are calendar days; an end at midnight counts as the day before.
 * @param now in milliseconds
 * @param timeZone the calendar's time zone; defaults to the viewer's
 */
export function subscriptionWords(
  { status, ends_at }: Subscription,
  now: number,
  timeZone?: string,
): SubscriptionWords {
  const isTrial = status === 'trial';
  const plain = (text: string, brief = text) => ({
    text,
    short: text,
    brief,
    tone: 'neutral' as const,
  });
  const subscribed = { ...plain(t('Subscribed')), tone: 'good' as const };
  if (ends_at === null) return isTrial ? plain(t('Trial')) : subscribed;
  const ends = Date.parse(ends_at);
  if (ends <= now)
    return plain(isTrial ? t('Trial ended') : t('Subscription ended'), t('Ended', 'subscription'));
  const days = dayOf(ends - 1, timeZone) - dayOf(now, timeZone);
  if (isTrial) {
    if (days <= 0) return { ...plain(t('Trial ends today'), t('Ends today')), tone: 'warn' };
    if (days === 1) return plain(t('Trial ends tomorrow'), t('Ends tomorrow'));
    return plain(
      t('Trial · {days, plural, one {# day left} other {# days left}}', { days }),
      t('Trial'),
    );
  }
  if (days <= 0)
    return { text: t('Subscription ends today'), short: t('Ends today'), tone: 'warn' };
  if (days > COUNTDOWN_DAYS) return subscribed;
  if (days === 1)
    return { text: t('Subscription ends tomorrow'), short: t('Ends tomorrow'), tone: 'good' };
  return {
    text: t('Subscription ends in {days, plural, one {# day} other {# days}}', { days }),
    short: t('Ends in {days, plural, one {# day} other {# days}}', { days }),
    tone: 'good',
  };
}

const calendars = new Map<string | undefined, Intl.DateTimeFormat>();

/** Returns the year, month and day of a timestamp. */
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

/** Returns the day of a timestamp as a day number. Consecutive days differ by one, even if a day has 23 or 25 hours. */
function dayOf(instant: number, timeZone: string | undefined): number {
  const [year, month, day] = dateOf(instant, timeZone);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}
