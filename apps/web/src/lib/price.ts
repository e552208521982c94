import { language, locale, t } from './i18n.ts';

const PRICE = /^\d+(\.\d{1,2})?$/;
const HIGHEST_PRICE = 1_000_000;

/** What is said of a price that {@link parsePrice} does not take. */
export const NO_PRICE = t('Please enter a valid price');

/** The price in US dollars that was typed: above 0 and in whole cents; null for anything else. */
export function parsePrice(text: string): number | null {
  const trimmed = text.trim();
  const amount = PRICE.test(trimmed) ? Number(trimmed) : 0;
  return amount > 0 && amount <= HIGHEST_PRICE ? amount : null;
}

const dollars = {
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
} as const;
/** For amounts of money. Arabic's own way ends in a `US$` that stands the wrong way round among right-to-left words. */
export const moneyLocale = language === 'ar' ? 'en' : locale;
const money = new Intl.NumberFormat(moneyLocale, dollars);
const price = new Intl.NumberFormat(moneyLocale, { ...dollars, useGrouping: false });

/** US dollars with 2 decimals, the thousands set apart. */
export function formatMoney(amount: number): string {
  return money.format(amount);
}

/** The price of one thing in US dollars, always with its cents: `$12.00`. */
export function formatPrice(amount: number): string {
  return price.format(amount);
}
