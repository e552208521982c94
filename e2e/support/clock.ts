import { expect, type Locator, type Page } from '@playwright/test';

/** Milliseconds of the page's own time. */
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

/**
 * Waits, with a stopped clock, until something is visible, and returns how many milliseconds of the page's own time that took. After each
 * step the page gets real time for what it does in between.
 */
export async function untilVisible(page: Page, what: Locator): Promise<number> {
  let taken = 0;
  await expect(async () => {
    await page.clock.runFor(STEP);
    taken += STEP;
    await expect(what).toBeVisible({ timeout: 1_000 });
  }).toPass({ intervals: [0], timeout: 20_000 });
  return taken;
}

/** With a stopped clock: something shows, and is gone after so many milliseconds of the page's own time. */
export async function expectToLast(page: Page, what: Locator, lasting: number): Promise<void> {
  await untilVisible(page, what);
  await page.clock.runFor(lasting - 10 * STEP);
  await expect(what).toBeVisible();
  await page.clock.runFor(10 * STEP);
  await expect(what).toHaveCount(0);
}
