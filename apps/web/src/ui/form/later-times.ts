import { t } from '../../lib/text/i18n.ts';
import { dayAt, fromLocal, toLocal } from '../../lib/text/zoned-time.ts';

const HOUR_MS = 3_600_000;
const EVENING = '18:00';
const MORNING = '09:00';

/** Returns common times to postpone something to, in milliseconds, by the clock of a zone. */
export function laterTimes(now: number, zone: string): { label: string; at: number }[] {
  const inAnHour = now + HOUR_MS;
  const weekday = new Date(`${toLocal(now, zone).slice(0, 10)}T00:00Z`).getUTCDay();
  const untilMonday = (8 - weekday) % 7 || 7;
  const days = [
    { label: t('This evening'), at: fromLocal(dayAt(now, zone, 0, EVENING), zone) },
    { label: t('Tomorrow'), at: fromLocal(dayAt(now, zone, 1, MORNING), zone) },
    ...(untilMonday > 1
      ? [{ label: t('Monday'), at: fromLocal(dayAt(now, zone, untilMonday, MORNING), zone) }]
      : []),
  ];
  return [
    { label: t('In 1 hour'), at: inAnHour },
    ...days.flatMap(({ label, at }) => (at !== null && at > inAnHour ? { label, at } : [])),
  ];
}
