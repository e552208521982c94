import { formatMoney } from '@stagedoor/browser/money';
import type { EarningKind, EarningLine } from '@stagedoor/contract/selling/earnings';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';

const KINDS: Readonly<Record<EarningKind, string>> = {
  sale: t('Sale'),
  refund: t('Refund'),
  hours: t('Hours'),
  adjustment: t('Adjustment'),
};

export const kindLabel = (kind: EarningKind): string => KINDS[kind];

/** Returns how the line's amount follows from its rule. */
export function whyOf(line: EarningLine): string {
  const { rate, seconds, shared_by: count } = line;
  const amount = formatMoney(line.amount);
  if (line.kind === 'adjustment' && line.base_amount === 0 && seconds === null)
    return t('Correction after a contest: {amount}', { amount });
  if (rate === null) return t('No commission rule applied yet: {amount}', { amount });
  if (seconds !== null) {
    const time = timeText(seconds);
    return t('{time} at {rate} an hour = {amount}', { time, rate: formatMoney(rate), amount });
  }
  const values = { rate: formatCount(rate), base: formatMoney(line.base_amount), amount };
  return count === 1
    ? t('{rate} % of {base} = {amount}', values)
    : t('{rate} % of {base} (shared by {count}) = {amount}', { ...values, count });
}

/** Returns a time on the clock in hours and minutes. */
export function timeText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return t('{hours} h {minutes} min', {
    hours: Math.floor(minutes / 60),
    minutes: minutes % 60,
  });
}
