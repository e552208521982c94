/** Converts USD to whole cents, for storage and comparison. @param usd an amount accepted by the contract's `priceUsd` */
export const toCents = (usd: number): number => Math.round(usd * 100);

/** Converts whole cents to USD. The result is the nearest number, which prints with at most two decimals. */
export const toUsd = (cents: number): number => cents / 100;
