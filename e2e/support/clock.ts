import type { Page } from '@playwright/test';

/** Milliseconds that may pass between something showing and its clock being stopped, on a busy machine. */
const SLACK = 1_500;

/** Gives a page a clock that can be stopped. To be done before it is opened. */
export const ownClock = (page: Page): Promise<void> => page.clock.install();

/** Stops a page's clock where it is. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 50));
}

/** With the clock stopped just after something began that lasts so many milliseconds: goes on to near its end. */
export const nearlyThrough = (page: Page, lasting: number): Promise<void> =>
  page.clock.runFor(lasting - SLACK);

/** From near its end to past it. */
export const through = (page: Page): Promise<void> => page.clock.runFor(SLACK);
