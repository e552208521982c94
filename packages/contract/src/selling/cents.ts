/** USD as whole cents: what is stored and compared. @param usd an amount that the contract's `priceUsd` has taken */
export const toCents = (usd: number): number => Math.round(usd * 100);

/** Whole cents as USD: the number nearest to it, which prints with at most two decimals. */
export const toUsd = (cents: number): number => cents / 100;
