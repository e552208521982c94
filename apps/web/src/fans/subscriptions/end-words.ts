import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { language, locale as pageLocale, t } from '../../lib/text/i18n.ts';
import { dateOf } from './subscription-words.ts';

/** English has several date formats, so English pages use the browser's locale. */
const DATES = language === 'en' ? undefined : pageLocale;

/**
 * Returns when a subscription ends or ended, for example 'Ends on Nov 24, 18:00'. Null if it has no end.
 * @param now in milliseconds
 * @param timeZone defaults to the viewer's
 * @param locale the date format; defaults to the page's language, or to the browser's locale on an English page
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
    hourCycle: 'h23',
    timeZone,
  });
  const at = format.format(ends);
  return ends <= now ? t('Ended on {time}', { time: at }) : t('Ends on {time}', { time: at });
}

const yearOf = (instant: number, timeZone: string | undefined) => dateOf(instant, timeZone)[0];
