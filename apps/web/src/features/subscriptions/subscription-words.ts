import type { Subscription } from '@stagedoor/contract/subscriptions';

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
  const kind = isTrial ? 'Trial' : 'Subscription';
  const plain = (text: string) => ({ text, short: text, endsToday: false });
  if (ends_at === null) return plain(isTrial ? 'Trial' : 'Subscribed');
  const ends = Date.parse(ends_at);
  if (ends <= now) return plain(`${kind} ended`);
  const days = dayOf(ends - 1, timeZone) - dayOf(now, timeZone);
  const ending = (when: string, endsToday: boolean) => {
    const text = `${kind} ends ${when}`;
    return { text, short: isTrial ? text : `Ends ${when}`, endsToday };
  };
  if (days <= 0) return ending('today', true);
  if (days === 1) return ending('tomorrow', false);
  if (isTrial) return plain(`Trial · ${days} days left`);
  return days <= COUNTDOWN_DAYS ? ending(`in ${days} days`, false) : plain('Subscribed');
}

/**
 * When it ends or ended: as 'until Nov 24, 6:00 PM'. Null for one without an end.
 * @param now in milliseconds
 * @param timeZone the viewer's own unless given, as is `locale`
 */
export function endWords(
  { ends_at }: Subscription,
  now: number,
  timeZone?: string,
  locale?: string,
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
  return ends <= now ? `on ${at}` : `until ${at}`;
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
