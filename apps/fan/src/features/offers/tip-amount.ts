const TIP = 'tip ';

/** Returns what to store while the fan pays for a tip. @param tips the number of their tips before it */
export const tipsPaying = (tips: number): string => TIP + tips;

/** Returns the number of the fan's tips before the one that is being paid for; null if none is. */
export const tipsBefore = (paying: string | null): number | null =>
  paying?.startsWith(TIP) ? Number(paying.slice(TIP.length)) : null;
