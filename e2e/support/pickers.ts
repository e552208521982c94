import type { Locator, Page } from '@playwright/test';

/** Returns a date in the British format of the journeys' browser: `23/11/2026` for `2026-11-23`. */
export const britishDate = (date: string): string => date.split('-').reverse().join('/');

/** Fills a date and time field. @param date such as `2026-11-23` @param time such as `18:00` */
export async function fillDateTime(
  within: Page | Locator,
  date: string,
  time: string,
): Promise<void> {
  await within.getByRole('textbox', { name: 'Date', exact: true }).fill(britishDate(date));
  await within.getByRole('combobox', { name: 'Time', exact: true }).fill(time);
}
