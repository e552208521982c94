import type { Page } from '@playwright/test';
import { buildConversation, buildFanMessage } from '../apps/server/test/factories.ts';
import { until } from '../apps/server/test/until.ts';
import { accessibilityIssues } from './support/accessibility-issues.ts';
import { type Desk, expect, test } from './support/journey.ts';
import { bubble, composer, row } from './support/screens.ts';

/** Returns the keys of the offline cache, or null. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === 'stagedoor_kept')) return null;
    return new Promise<string[]>((resolve, reject) => {
      const request = indexedDB.open('stagedoor_kept');
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const all = request.result.transaction('answers').objectStore('answers').getAllKeys();
        all.onsuccess = () => {
          request.result.close();
          resolve(all.result.map((key) => String((key as string[])[1])));
        };
      };
    });
  });

/** Opens a conversation in a browser that has cached the conversation and the console. */
async function arrange(desk: Desk) {
  const staff = await desk.hire();
  const conversation = await buildConversation(desk, {
    fan: { first_name: 'Ana' },
    messages: ['Kept for later'],
  });
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.open(staff, {
    path: `/inbox/${conversation.id}`,
    serviceWorker: true,
  });
  await expect(bubble(page, 'Kept for later')).toBeVisible();
  await expect(row(page, 'Ben')).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  for (const part of [`"${conversation.id}","messages"`, '"inbox","list"']) {
    await until('it is kept', async () => (await kept(page))?.some((key) => key.includes(part)));
  }
  return { staff, page, ...conversation };
}

test('offline the console opens with the last loaded data, and continues once online', async ({
  desk,
}) => {
  const { page, fan } = await arrange(desk);
  await composer(page).fill('Typed before');
  await page.context().setOffline(true);
  await page.reload();
  await expect(row(page, 'Ben')).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(bubble(page, 'Kept for later')).toBeVisible();
  await expect(composer(page)).toHaveValue('Typed before');
  await composer(page).fill('Typed without a network');
  await page.reload();
  await expect(composer(page)).toHaveValue('Typed without a network');
  await buildFanMessage(desk, fan, { content: 'Written meanwhile' });
  await page.context().setOffline(false);
  await expect(bubble(page, 'Written meanwhile')).toBeVisible();
  await expect(page.getByText('You are offline.')).toBeHidden();
  await expect(composer(page)).toHaveValue('Typed without a network');
});

test('the console opens while a proxy replies in place of the server', async ({ desk }) => {
  const { page } = await arrange(desk);
  await page.context().route(/^(?!.*\/api\/)/, (route) => route.fulfill({ status: 503, json: {} }));
  await page.reload();
  await expect(row(page, 'Ben')).toBeVisible();
});

test('the cache is erased at sign-out', async ({ desk }) => {
  const { page } = await arrange(desk);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByLabel('Please enter your email')).toBeVisible();
  await expect.poll(async () => (await kept(page)) ?? []).toEqual([]);
});

test(`the offline console has no serious accessibility issues`, async ({ desk }) => {
  const { page } = await arrange(desk);
  await page.context().setOffline(true);
  await page.reload();
  await expect(bubble(page, 'Kept for later')).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
});
