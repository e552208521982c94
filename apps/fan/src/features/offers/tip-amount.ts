/** Reads an amount as people type it: digits with up to two decimals after a point or a comma. @returns USD; null if invalid */
export function amountOf(typed: string): number | null {
  const plain = typed
    .trim()
    .replace(/^\$\s*/, '')
    .replace(',', '.');
  const amount = /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? Number(plain) : 0;
  return amount >= 0.01 && amount <= 1_000_000 ? amount : null;
}

const TIP = 'tip ';

/** Returns what to store while the fan pays for a tip. @param tips the number of their tips before it */
export const tipsPaying = (tips: number): string => TIP + tips;

/** Returns the number of the fan's tips before the one that is being paid for; null if none is. */
export const tipsBefore = (paying: string | null): number | null =>
  paying?.startsWith(TIP) ? Number(paying.slice(TIP.length)) : null;
