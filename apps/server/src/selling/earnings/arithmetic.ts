import { percentOf } from './calculate.ts';
import type { Line } from './ledger.store.ts';

const usd = (cents: number): string =>
  `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;

/** Returns the calculation of a line's amount as text, for example `20 % of $4.99 = $1.00`. */
export function arithmeticOf(line: Line, paidCents: number | null): string {
  const { amount_cents: amount, base_cents: base, rate_hundredths: rate, seconds } = line;
  if (line.source === 'contest') return `Contest: ${amount < 0 ? '' : '+'}${usd(amount)}`;
  if (line.source === 'refund' && (base === 0 || percentOf(base, rate ?? 0) !== amount))
    return `Refund, takes back what was earned: ${usd(amount)}`;
  if (rate === null) return `No rule was in force: ${usd(amount)}`;
  if (seconds !== null) {
    const time = [
      [Math.floor(seconds / 3_600), 'h'],
      [Math.floor(seconds / 60) % 60, 'min'],
      [seconds % 60, 's'],
    ].filter(([value]) => value !== 0);
    const spent = time.map((part) => part.join(' ')).join(' ') || '0 s';
    return `${spent} at ${usd(rate)} an hour = ${usd(amount)}`;
  }
  const { shared_by: among } = line;
  const share =
    among > 1 && paidCents !== null ? ` (1 of ${among} parts of ${usd(paidCents)})` : '';
  return `${rate / 100} % of ${usd(base)}${share} = ${usd(amount)}`;
}
