import { PRICE_STEP } from '@stagedoor/contract/selling/products';
import { language, locale, t } from './i18n.ts';

/** Cents after a point or a comma: Arabic keyboards have characters of their own for the comma and the digits. */
const PRICE = /^\d+(?:[.,٫،]\d{1,2})?$/;
const ARABIC_ZERO = 0x660;
const HIGHEST_PRICE = 1_000_000;

/** What is said of a price that {@link parsePrice} does not take. */
export const NO_PRICE = t('Please enter a valid price');

/** The attributes of a field that takes a price. A number field would drop the comma of `4,99`, which is 499 then. */
export const PRICE_INPUT = {
  type: 'text',
  inputMode: 'decimal',
  autoComplete: 'off',
  step: PRICE_STEP,
  min: PRICE_STEP,
} as const;

/** The price in US dollars that was typed, with a point or a comma: above 0 and in whole cents; null for anything else. */
export function parsePrice(text: string): number | null {
  const typed = text.trim().replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO));
  const amount = PRICE.test(typed) ? Number(typed.replace(/\D/, '.')) : 0;
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
