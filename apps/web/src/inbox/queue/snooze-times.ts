import { t } from '../../lib/text/i18n.ts';

const HOUR_MS = 3_600_000;
const EVENING_HOUR = 18;
const MORNING_HOUR = 9;
const MONDAY = 1;
const WEEK_DAYS = 7;

export interface SnoozeChoice {
  label: string;
  /** Null: until the fan writes. */
  until: Date | null;
}

/** Returns the given hour on the day `days` days later. When the clocks change, a day does not have 24 hours. */
function atHour(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** Returns the snooze options in local time. Options in the past and duplicates are left out. */
export function snoozeChoices(now: Date): SnoozeChoice[] {
  const evening = atHour(now, 0, EVENING_HOUR);
  const toMonday = (MONDAY - now.getDay() + WEEK_DAYS) % WEEK_DAYS || WEEK_DAYS;
  const isBeforeEvening = evening.getTime() - now.getTime() > HOUR_MS;
  const choices: SnoozeChoice[] = [
    { label: t('In 1 hour'), until: new Date(now.getTime() + HOUR_MS) },
  ];
  if (isBeforeEvening) choices.push({ label: t('This evening'), until: evening });
  choices.push({ label: t('Tomorrow'), until: atHour(now, 1, MORNING_HOUR) });
  if (toMonday > 1)
    choices.push({ label: t('Monday'), until: atHour(now, toMonday, MORNING_HOUR) });
  choices.push({ label: t('Until they write'), until: null });
  return choices;
}
