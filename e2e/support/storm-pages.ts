import { expect, type Page } from '@playwright/test';
import { composer } from './screens.ts';

/** Milliseconds in which all is well again after a storm: a send is tried for 35 s. */
export const SETTLES_WITHIN = 60_000;

/** Writes into a tab and sends; what can't go out yet, because another message is on its way, stays in the field. */
export async function say(page: Page, text: string): Promise<void> {
  if ((await composer(page).inputValue()) === '') await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** A send that was given up waits above the field; and what is typed there still, behind another one. */
export async function sendRest(page: Page): Promise<void> {
  const tray = page.getByRole('list', { name: 'Unsent messages' });
  await expect(async () => {
    const retry = tray.getByRole('button', { name: 'Retry' });
    if ((await retry.count()) > 0) await retry.first().click();
    else if ((await composer(page).inputValue()) !== '') await composer(page).press('Enter');
    await expect(tray).toHaveCount(0, { timeout: 1_000 });
    await expect(composer(page)).toHaveValue('', { timeout: 1_000 });
    await expect(page.getByRole('img', { name: 'Sending' })).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ timeout: SETTLES_WITHIN });
}

/** The tab is live again; one that gave up hears from its browser that the network is back. */
export async function reconnected(page: Page): Promise<void> {
  await expect(async () => {
    if ((await page.getByText('Failed to reconnect to server').count()) > 0)
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByText('Reconnecting…')).toHaveCount(0, { timeout: 1_000 });
    await expect(page.getByText('Failed to reconnect to server')).toHaveCount(0, {
      timeout: 1_000,
    });
  }).toPass({ timeout: SETTLES_WITHIN });
}
