import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { language, locale as pageLocale, t } from '../../lib/text/i18n.ts';
import { dateOf } from './subscription-words.ts';

/** English has many ways to write dates: the viewer's own is taken. */
const DATES = language === 'en' ? undefined : pageLocale;

/**
 * When it ends or ended: as 'until Nov 24, 18:00'. Null for one without an end.
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
    hourCycle: 'h23',
    timeZone,
  });
  const at = format.format(ends);
  return ends <= now ? t('on {time}', { time: at }) : t('until {time}', { time: at });
}

const yearOf = (instant: number, timeZone: string | undefined) => dateOf(instant, timeZone)[0];
