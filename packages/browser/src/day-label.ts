import { locale, t } from './i18n.ts';

const DAY_MS = 86_400_000;

const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);

/** Returns a day's label: 'Today', 'Yesterday', a weekday within the past week, or the date. `now` is in milliseconds. */
export function dayLabel(iso: string, now: number): string {
  const at = new Date(iso);
  // Rounded, because days with a clock change are an hour shorter or longer.
  const daysAgo = Math.round((startOfDay(now) - startOfDay(at.getTime())) / DAY_MS);
  if (daysAgo === 0) return t('Today');
  if (daysAgo === 1) return t('Yesterday');
  if (daysAgo > 1 && daysAgo < 7) return at.toLocaleDateString(locale, { weekday: 'long' });
  const isThisYear = at.getFullYear() === new Date(now).getFullYear();
  return at.toLocaleDateString(locale, {
    month: 'long',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  });
}
