import { formatMoney } from '@stagedoor/browser/money';
import { toCents } from '@stagedoor/contract/selling/cents';
import type {
  BookedLine,
  CommissionRule,
  EarningKind,
  EarningPeriod,
} from '@stagedoor/contract/selling/earnings';
import { lengthText } from '../../lib/text/format.ts';
import { locale, t } from '../../lib/text/i18n.ts';
import { formatPercentage } from '../charts/format.ts';

const KINDS: Readonly<Record<EarningKind, string>> = {
  sale: t('Sale'),
  refund: t('Refund', 'noun'),
  hours: t('Hours'),
  adjustment: t('Adjustment'),
};

export const kindLabel = (kind: EarningKind): string => KINDS[kind];

/** Returns what a line is for. For an adjustment, this includes what was booked late or corrected. */
export const titleOf = ({ kind, source, offer }: BookedLine): string =>
  [
    KINDS[kind],
    ...(kind === 'adjustment' && source !== 'contest' ? [KINDS[source]] : []),
    ...(offer === null ? [] : [offer.title]),
  ].join(' · ');

/** Formats a length of time to the second, since seconds are paid too. */
function exactLengthText(seconds: number): string {
  if (seconds % 60 === 0) return lengthText(seconds);
  return t('{hours} h {minutes} min {seconds} s', {
    hours: Math.floor(seconds / 3_600),
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  });
}

/** Returns in words how the line's amount was calculated. */
export function whyOf(line: BookedLine): string {
  const { rate, seconds, shared_by: count } = line;
  const amount = formatMoney(line.amount);
  if (line.source === 'contest') return t('Correction after a contest: {amount}', { amount });
  // After a contest, a refund takes back the corrected amounts, which differ from the rule's.
  const byRule = Math.round(Math.abs(toCents(line.base_amount) * toCents(rate ?? 0)) / 10_000);
  if (
    line.source === 'refund' &&
    (line.base_amount === 0 || byRule !== Math.abs(toCents(line.amount)))
  )
    return t('Refund, takes back what was earned: {amount}', { amount });
  if (rate === null) return t('No commission rule applied yet: {amount}', { amount });
  if (seconds !== null) {
    const time = exactLengthText(seconds);
    return t('{time} at {rate} an hour = {amount}', { time, rate: formatMoney(rate), amount });
  }
  const values = { rate: formatPercentage(rate), base: formatMoney(line.base_amount), amount };
  return count === 1
    ? t('{rate} of {base} = {amount}', values)
    : t('{rate} of {base} (shared by {count}) = {amount}', { ...values, count });
}

/** Returns a line's note in the reader's language; null without one. The ledger stores notes in English, with an ISO time. */
export function noteOf({ source, note, payment }: BookedLine): string | null {
  if (source === 'refund' && payment?.refunded_at)
    return t('Refunded {when}', { when: timeOfLine(payment.refunded_at) });
  const time = /^Booked late, for (\S+Z)$/.exec(note ?? '')?.[1];
  return time === undefined ? note : t('Booked late, for {time}', { time: timeOfLine(time) });
}

/** Returns what a rule pays. */
export function termsOf({ percentage, hourly_rate, credit }: CommissionRule): string {
  const values = { percentage: formatPercentage(percentage), rate: formatMoney(hourly_rate) };
  return credit === 'shift'
    ? t('{percentage} of sales, shared by the shift, {rate} an hour', values)
    : t('{percentage} of own sales, {rate} an hour', values);
}

const lineTime = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** Formats the local time of a line without the year, which its period shows. */
export const timeOfLine = (iso: string): string => lineTime.format(Date.parse(iso));

const DAY_MS = 86_400_000;
const day = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a period's first and last day in the team's time zone, as `Nov 23 – 29, 2026`. */
export function daysOf({ id, starts_at, ends_at }: EarningPeriod): string {
  const first = Date.parse(`${id}T00:00Z`);
  const days = Math.max(1, Math.round((Date.parse(ends_at) - Date.parse(starts_at)) / DAY_MS));
  return day.formatRange(first, first + (days - 1) * DAY_MS);
}
