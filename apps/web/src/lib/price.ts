const PRICE = /^\d+(\.\d{1,2})?$/;
const HIGHEST_PRICE = 1_000_000;

/** What is said of a price that {@link parsePrice} does not take. */
export const NO_PRICE = 'Please enter a valid price';

/** The price in US dollars that was typed: above 0 and in whole cents; null for anything else. */
export function parsePrice(text: string): number | null {
  const trimmed = text.trim();
  const price = PRICE.test(trimmed) ? Number(trimmed) : 0;
  return price > 0 && price <= HIGHEST_PRICE ? price : null;
}

const money = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** US dollars with 2 decimals, the thousands set apart. */
export function formatMoney(amount: number): string {
  return money.format(amount);
}
