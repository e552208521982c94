import type { DeliveryAttempt } from '@stagedoor/contract/platform/webhooks';
import { locale, t } from '../../lib/text/i18n.ts';

const SECOND_MS = 1_000;

const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const clock = new Intl.DateTimeFormat(locale, time);
const dateAndTime = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', ...time });
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, useGrouping: false });

/** Returns a local time with seconds, and with the date if it is not today. `now` is in milliseconds. */
export function timeInWords(iso: string, now: number): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dateAndTime).format(at);
}

export function durationInWords(ms: number): string {
  if (ms < SECOND_MS) return t('{ms} ms', { ms });
  return t('{seconds} s', { seconds: tenths.format(Number((ms / SECOND_MS).toFixed(1))) });
}

/** Returns a try's result in a few words. */
export function answerInWords({ status, duration_ms, answer }: DeliveryAttempt): string {
  if (status !== null)
    return t('{status} in {duration}', { status, duration: durationInWords(duration_ms) });
  return answer === '' ? t('No response') : t('No response: {answer}', { answer });
}

export function triesInWords(attempts: number): string {
  if (attempts === 0) return t('Not tried yet');
  return t('{attempts, plural, one {# attempt} other {# attempts}}', { attempts });
}

/** Formats JSON over several lines; returns other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
