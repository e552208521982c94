const TIP = 'tip ';

/** Returns the value to store while the fan pays for a tip. @param tips the number of the fan's earlier tips */
export const tipsPaying = (tips: number): string => TIP + tips;

/** Returns the number of the fan's tips before the one being paid for; null if the fan isn't paying for a tip. */
export const tipsBefore = (paying: string | null): number | null =>
  paying?.startsWith(TIP) ? Number(paying.slice(TIP.length)) : null;
