import { PRICE_STEP } from '@stagedoor/contract/selling/products';
import { t } from './i18n.ts';

/** Cents after a point or a comma. Arabic keyboards have their own comma and digits. */
const PRICE = /^\d+(?:[.,٫،]\d{1,2})?$/;
const ARABIC_ZERO = 0x660;
const HIGHEST_PRICE = 1_000_000;

/** The error for a price that {@link parsePrice} rejects. */
export const NO_PRICE = t('Please enter a valid price');

/** The attributes of a price field. A number field would drop the comma of `4,99` and make it 499. */
export const PRICE_INPUT = {
  type: 'text',
  inputMode: 'decimal',
  autoComplete: 'off',
  step: PRICE_STEP,
  min: PRICE_STEP,
} as const;

/** Reads a typed number with at most two decimals after a point or a comma; null for any other text. */
export function readAmount(text: string): number | null {
  const typed = text.trim().replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO));
  return PRICE.test(typed) ? Number(typed.replace(/\D/, '.')) : null;
}

/**
 * Parses a price in US dollars, typed with a point or a comma. Returns null unless it is above 0, in whole cents and within the
 * limit.
 */
export function parsePrice(text: string): number | null {
  const amount = readAmount(text) ?? 0;
  return amount > 0 && amount <= HIGHEST_PRICE ? amount : null;
}
