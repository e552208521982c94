import { expect, type Locator, type Page } from '@playwright/test';

/** How far the page's clock advances before each check. Milliseconds. */
const STEP = 100;

/** Gives a page a clock that can be stopped. Call it before the page is opened. */
export async function ownClock(page: Page): Promise<void> {
  await page.clock.install({ time: Date.now() });
}

/** Stops a page's clock. */
export async function stopClock(page: Page): Promise<void> {
  await expect(async () => {
    // The clock can only be paused at a future time, even on a slow machine.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000));
  }).toPass();
}

/** Waits, with a stopped clock, until an element is visible. After each step the page gets real time to react. */
export async function untilVisible(page: Page, what: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(STEP);
    await expect(what).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Expects, with a stopped clock, an element to appear and to disappear `lasting` milliseconds of the page's time later. */
export async function expectToLast(page: Page, what: Locator, lasting: number): Promise<void> {
  await untilVisible(page, what);
  await page.clock.runFor(lasting - 2 * STEP);
  await expect(what).toBeVisible();
  await page.clock.runFor(2 * STEP);
  await expect(what).toHaveCount(0);
}
