import { formatMoney, moneyLocale } from '@stagedoor/browser/money';
import { lengthText } from '../../lib/text/format.ts';
import { locale, t } from '../../lib/text/i18n.ts';

const shortMoney = new Intl.NumberFormat(moneyLocale(), {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  notation: 'compact',
  maximumFractionDigits: 1,
  trailingZeroDisplay: 'stripIfInteger',
});
const shortNumber = new Intl.NumberFormat(locale, {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const unit = 'percent';
const rate = new Intl.NumberFormat(locale, {
  style: 'unit',
  unit,
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Formats US dollars for an axis: `$0.50`, `$20`, `$1.2K`. */
export function formatShortMoney(amount: number): string {
  const hasCents = amount < 1_000 && !Number.isInteger(amount);
  return hasCents ? formatMoney(amount) : shortMoney.format(amount);
}

/** Formats a number for an axis: `1.2K`. */
export function formatShortCount(count: number): string {
  return shortNumber.format(count);
}

const percentage = new Intl.NumberFormat(locale, { style: 'unit', unit });

/** Formats a percentage from 0 to 100 with only the decimals it needs: `15%`, `12.5%`. */
export const formatPercentage = (value: number): string => percentage.format(value);

/** Formats a percentage from 0 to 100 with 1 decimal. */
export function formatRate(percentage: number): string {
  return rate.format(percentage);
}

const change = { style: 'percent', signDisplay: 'exceptZero' } as const;
const wholeChange = new Intl.NumberFormat(locale, change);
const fineChange = new Intl.NumberFormat(locale, { ...change, maximumFractionDigits: 1 });
const points = new Intl.NumberFormat(locale, {
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

/** Ratios below this are shown with 1 decimal, as in `-3.5%`. */
const FINE_BELOW = 0.1;

/** Formats a relative change with its sign: `+12%`, `-3.5%`. */
export function formatChange(ratio: number): string {
  return (Math.abs(ratio) < FINE_BELOW ? fineChange : wholeChange).format(ratio);
}

/** Formats the difference of two percentages, in percentage points, with its sign: `+3.5`. */
export function formatPoints(difference: number): string {
  return points.format(difference);
}

const GOOD_FROM = 50;
const FAIR_FROM = 25;

/** Returns the color of a conversion rate: green from 50%, yellow from 25%, otherwise gray. Uses the unrounded rate. */
export function conversionTone(percentage: number): 'good' | 'warn' | 'neutral' {
  if (percentage >= GOOD_FROM) return 'good';
  return percentage >= FAIR_FROM ? 'warn' : 'neutral';
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a reply time in its two largest units: `45 s`, `3 min`, `2 h 5 min`. Null, for no replies, is a dash. */
export function formatReplyTime(seconds: number | null): string {
  if (seconds === null) return '–';
  const whole = Math.round(seconds);
  if (whole < MINUTE) return t('{seconds} s', { seconds: whole });
  const inMinutes = Math.round(seconds / MINUTE);
  if (inMinutes * MINUTE < DAY) return lengthText(seconds);
  const inHours = Math.round(seconds / HOUR);
  const [days, hours] = [Math.floor(inHours / 24), inHours % 24];
  return hours === 0 ? t('{days} d', { days }) : t('{days} d {hours} h', { days, hours });
}
