import { language, locale } from './i18n.ts';

/** Returns the locale for amounts of money; English for Arabic, whose format puts `US$` on the wrong side in right-to-left text. */
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

/** Matches an amount with one or two optional decimals. The separator is a point or a comma, Latin or Arabic. */
const AMOUNT = /^\d+(?:[.,٫،]\d{1,2})?$/;
const ARABIC_ZERO = 0x660;
const HIGHEST_PRICE = 1_000_000;

/** Reads a typed number with at most two decimals after a point or a comma; null for any other text. */
export function readAmount(text: string): number | null {
  const typed = text.trim().replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO));
  return AMOUNT.test(typed) ? Number(typed.replace(/\D/, '.')) : null;
}

/**
 * Parses a typed price in US dollars, with a decimal point or comma. Returns null unless the price is above 0, in whole cents and
 * at most `HIGHEST_PRICE`.
 */
export function parsePrice(text: string): number | null {
  const amount = readAmount(text.trim().replace(/^\$/, '')) ?? 0;
  return amount > 0 && amount <= HIGHEST_PRICE ? amount : null;
}
