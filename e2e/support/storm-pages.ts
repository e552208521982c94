import { expect, type Page } from '@playwright/test';
import { composer } from './screens.ts';

/** The time limit for recovery after a storm, in milliseconds. Longer than the 35 s for which a send is retried. */
export const SETTLES_WITHIN = 60_000;

/** Types a message in a tab and sends it. The text stays in the field while an earlier message is being sent. */
export async function say(page: Page, text: string): Promise<void> {
  if ((await composer(page).inputValue()) === '') await composer(page).fill(text);
  await composer(page).press('Enter');
}

/** Sends everything that remains: failed messages in the tray, then the text in the field. */
export async function sendRest(page: Page): Promise<void> {
  const tray = page.getByRole('list', { name: 'Messages not sent' });
  await expect(async () => {
    const retry = tray.getByRole('button', { name: 'Retry' });
    if ((await retry.count()) > 0) await retry.first().click();
    else if ((await composer(page).inputValue()) !== '') await composer(page).press('Enter');
    await expect(tray).toHaveCount(0, { timeout: 1_000 });
    await expect(composer(page)).toHaveValue('', { timeout: 1_000 });
    await expect(page.getByRole('img', { name: 'Sending' })).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
}

/** Waits until the tab is live again. If it has given up, simulates the browser's `online` event. */
export async function reconnected(page: Page): Promise<void> {
  await expect(async () => {
    if ((await page.getByText('Failed to reconnect to server').count()) > 0)
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByText('Reconnecting…')).toHaveCount(0, { timeout: 1_000 });
    await expect(page.getByText('Failed to reconnect to server')).toHaveCount(0, {
      timeout: 1_000,
    });
  }).toPass();
}
