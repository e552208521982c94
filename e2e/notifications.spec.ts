import type { BrowserContext, Page } from '@playwright/test';
import { markRead } from '@stagedoor/contract/conversations';
import { buildConversation, buildFanMessage } from '../apps/server/test/factories.ts';
import { until } from '../apps/server/test/until.ts';
import { DESKTOP, expect, PHONE, test } from './support/journey.ts';
import { obstacles } from './support/obstacles.ts';
import { row } from './support/screens.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

async function openSettings(page: Page) {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Notifications...' }).click();
  await expect(dialog(page).getByText('On this device')).toBeVisible();
}

/** What a page shows by the browser's own notifications, written down; the browser of the tests shows none itself. */
async function noteNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: { title: string; body: string }[] = [];
    class Noted {
      static permission = 'default';
      static async requestPermission() {
        Noted.permission = 'granted';
        return 'granted';
      }
      onclick: (() => void) | null = null;
      constructor(title: string, { body = '' }: NotificationOptions) {
        shown.push({ title, body });
      }
      close() {}
    }
    Object.assign(window, { Notification: Noted, shown });
  });
}

const shown = (page: Page) =>
  page.evaluate(() => (window as unknown as { shown: { title: string; body: string }[] }).shown);

test('the title tells how many conversations are unread, and follows what happens', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const page = await desk.open(staff);
  await expect(page).toHaveTitle('Fan Messages');
  const { id } = await buildConversation(desk);
  await expect(page).toHaveTitle('(1) Fan Messages');
  await buildConversation(desk);
  await expect(page).toHaveTitle('(2) Fan Messages');
  await staff.client.call(markRead, { params: { id } });
  await expect(page).toHaveTitle('(1) Fan Messages');
});

test('settings are kept for all devices of a person', async ({ desk }) => {
  const staff = await desk.hire();
  const page = await desk.open(staff);
  await openSettings(page);
  const kept = page.waitForResponse(/notifications\/settings/);
  await dialog(page).getByLabel('Messages of fans').selectOption('In all conversations');
  await kept;
  await dialog(page).getByRole('switch', { name: 'Show texts' }).click();
  await dialog(page).getByRole('switch', { name: 'Quiet hours' }).click();
  await expect(dialog(page).getByLabel('From')).toHaveValue('22:00');
  await dialog(page).getByLabel('Until').fill('09:30');
  await expect(dialog(page).getByLabel('Until')).toHaveValue('09:30');
  await expect(dialog(page).getByRole('switch', { name: 'Sound' })).not.toBeChecked();
  const other = await desk.open(staff);
  await openSettings(other);
  await expect(dialog(other).getByLabel('Messages of fans')).toHaveValue('all');
  await expect(dialog(other).getByRole('switch', { name: 'Show texts' })).toBeChecked();
  await expect(dialog(other).getByRole('switch', { name: 'Sales' })).toBeChecked();
  await expect(dialog(other).getByLabel('Until')).toHaveValue('09:30');
});

test('a setting that can’t be saved goes back, and says so', async ({ desk }) => {
  const page = await desk.open(await desk.hire());
  await openSettings(page);
  await page.route(/notifications\/settings/, (route) => route.abort());
  await dialog(page).getByRole('switch', { name: 'Sales' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to save notifications');
  await expect(dialog(page).getByRole('switch', { name: 'Sales' })).toBeChecked();
});

test('a fan’s message is shown while a tab is open, and nothing of what was read at once', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const page = await desk.open(staff, { prepare: noteNotifications });
  await openSettings(page);
  await dialog(page).getByRole('switch', { name: 'Desktop notifications' }).click();
  await expect(dialog(page).getByText('Shown while a tab of the console is open.')).toBeVisible();
  await dialog(page).getByLabel('Messages of fans').selectOption('In all conversations');
  await page.keyboard.press('Escape');
  const read = await buildConversation(desk, { fan: { first_name: 'Read' }, messages: [] });
  const unread = await buildConversation(desk, { fan: { first_name: 'Unread' }, messages: [] });
  await until('news are watched', () =>
    page.evaluate(async () =>
      (await navigator.locks.query()).held?.some(({ name }) => name === 'stagedoor_news'),
    ),
  );
  await buildFanMessage(desk, read.fan, { content: 'A secret' });
  await staff.client.call(markRead, { params: { id: read.id } });
  await buildFanMessage(desk, unread.fan, { content: 'Another secret' });
  await expect(row(page, 'Unread')).toBeVisible();
  await expect.poll(() => shown(page)).toEqual([{ title: 'Unread', body: 'New message' }]);
});

test('the browser keeps the console’s files and none of its data', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), { serviceWorker: true });
  await expect(row(page, 'Ana')).toBeVisible();
  const kept = await keptFiles(page.context(), page);
  expect(kept.some((path) => path.endsWith('.js'))).toBe(true);
  expect(kept.some((path) => path.includes('/api/'))).toBe(false);
});

/** What the service worker keeps, once it runs. */
async function keptFiles(context: BrowserContext, page: Page): Promise<string[]> {
  await until('the service worker runs', () => context.serviceWorkers()[0]);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  return page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
}

test('the console can be installed', async ({ desk }) => {
  const page = await desk.open(await desk.hire());
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = (await (await page.request.get(href ?? '')).json()) as {
    name: string;
    icons: { src: string; type: string }[];
  };
  expect(manifest.name).toBe('Fan Messages');
  for (const { src, type } of manifest.icons) {
    const { headers } = await fetch(new URL(src, desk.url));
    expect(headers.get('content-type')).toContain(type);
  }
});

for (const theme of ['light', 'dark'] as const) {
  for (const [look, size] of [
    ['on a desktop', DESKTOP],
    ['on a phone', PHONE],
  ] as const) {
    test(`setting notifications puts no serious obstacle in anyone’s way (${theme}, ${look})`, async ({
      desk,
    }) => {
      const page = await desk.open(await desk.hire(), { ...size, theme });
      await openSettings(page);
      await dialog(page).getByRole('switch', { name: 'Quiet hours' }).click();
      await expect(dialog(page).getByLabel('From')).toBeVisible();
      expect(await obstacles(page)).toEqual([]);
    });
  }
}
