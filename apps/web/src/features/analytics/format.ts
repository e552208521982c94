import { formatMoney } from '../../lib/price.ts';

const shortMoney = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
  trailingZeroDisplay: 'stripIfInteger',
});
const shortNumber = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const rate = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** US dollars as short as an axis needs them: `$0.50`, `$20`, `$1.2K`. */
export function formatShortMoney(amount: number): string {
  const hasCents = amount < 1_000 && !Number.isInteger(amount);
  return hasCents ? formatMoney(amount) : shortMoney.format(amount);
}

/** A number as short as an axis needs it: `1.2K`. */
export function formatShortCount(count: number): string {
  return shortNumber.format(count);
}

/** A percentage from 0 to 100 with 1 decimal. */
export function formatRate(percentage: number): string {
  return `${rate.format(percentage)}%`;
}

const GOOD_FROM = 50;
const FAIR_FROM = 25;

/** How a conversion rate looks: green from 50 %, yellow from 25 %, else grey. Not the rounded figure counts. */
export function conversionTone(percentage: number): 'good' | 'warn' | 'neutral' {
  if (percentage >= GOOD_FROM) return 'good';
  return percentage >= FAIR_FROM ? 'warn' : 'neutral';
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a reply took, in its two largest units: `45 s`, `3 min`, `2 h 5 min`. Null, for no replies, is a dash. */
export function formatReplyTime(seconds: number | null): string {
  if (seconds === null) return '–';
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${whole} s`;
  const minutes = Math.round(seconds / MINUTE);
  if (minutes * MINUTE < HOUR) return `${minutes} min`;
  if (minutes * MINUTE < DAY) {
    return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  }
  const hours = Math.round(seconds / HOUR);
  return joined(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
