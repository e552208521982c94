import type { Page } from '@playwright/test';
import { buildConversation } from '../apps/server/test/factories.ts';
import { expect, test } from './support/journey.ts';

type Watched = typeof globalThis & { firstRowAt: number };

/** Records the time of the first row. Runs in the page. */
const watchRows = (page: Page) =>
  page.addInitScript(() => {
    const watcher = new MutationObserver(() => {
      if (document.querySelector('[data-row]') === null) return;
      (globalThis as Watched).firstRowAt = performance.now();
      watcher.disconnect();
    });
    watcher.observe(document, { childList: true, subtree: true });
  });

test('only scripts named in the page are loaded before the first rows', async ({ desk }) => {
  for (let count = 0; count < 5; count += 1) await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { prepare: watchRows });
  // Once this shows, everything after the rows has loaded.
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible();

  const { early, later } = await page.evaluate(async () => {
    // The HTML as it was sent, because by now the DOM also refers to lazy scripts.
    const sent = await (await fetch(location.href)).text();
    const isNamed = (url: string) => sent.includes(new URL(url).pathname);
    const scripts = performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js') && !isNamed(name));
    const { firstRowAt } = globalThis as Watched;
    const isEarly = ({ startTime }: PerformanceEntry) => !(startTime > firstRowAt);
    return {
      early: scripts.filter(isEarly).map(({ name }) => name),
      later: scripts.filter((script) => !isEarly(script)).length,
    };
  });
  expect(early).toEqual([]);
  expect(later).toBeGreaterThan(0);
});
