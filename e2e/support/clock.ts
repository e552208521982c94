import { expect, type Locator, type Page } from '@playwright/test';

/** Milliseconds of the page's own time in which what takes none of it comes about. */
const STEP = 20;

/** Gives a page a clock that can be stopped. To be done before it is opened. */
export async function ownClock(page: Page): Promise<void> {
  await page.clock.install({ time: Date.now() });
}

/** Stops a page's clock. */
export async function stopClock(page: Page): Promise<void> {
  await expect(async () => {
    // It can only be set to what is still to come, on however slow a machine.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000));
  }).toPass();
}

/** With a stopped clock: waits for something that needs no time but the server's. */
export async function untilVisible(page: Page, what: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(STEP);
    await expect(what).toBeVisible({ timeout: 250 });
  }).toPass({ intervals: [0], timeout: 20_000 });
}

/** With a stopped clock: something shows, and is gone after so many milliseconds of the page's own time. */
export async function expectToLast(page: Page, what: Locator, lasting: number): Promise<void> {
  await untilVisible(page, what);
  await page.clock.runFor(lasting - 10 * STEP);
  await expect(what).toBeVisible();
  await page.clock.runFor(10 * STEP);
  await expect(what).toHaveCount(0);
}
