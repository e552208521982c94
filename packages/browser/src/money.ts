import { language, locale } from './i18n.ts';

/** Returns the locale for amounts of money. The Arabic format puts its `US$` on the wrong side in right-to-left text. */
export const moneyLocale = (): string => (language === 'ar' ? 'en' : locale);

const dollars = {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
} as const;
let money: Intl.NumberFormat | undefined;
let price: Intl.NumberFormat | undefined;

/** Formats US dollars with 2 decimals and thousands separators. */
export function formatMoney(amount: number): string {
  money ??= new Intl.NumberFormat(moneyLocale(), dollars);
  return money.format(amount);
}

/** Formats a single price in US dollars, always with cents: `$12.00`. */
export function formatPrice(amount: number): string {
  price ??= new Intl.NumberFormat(moneyLocale(), { ...dollars, useGrouping: false });
  return price.format(amount);
}
