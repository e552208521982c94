import { createECDH, randomBytes } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { getNotificationSettings, type PushPayload } from '@stagedoor/contract/team/notifications';
import {
  buildConversation,
  buildFanMessage,
  type Staff,
} from '../../apps/server/test/factories.ts';
import { until } from '../../apps/server/test/until.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openLive } from '../support/conversation.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { row, signIn, tab, thread } from '../support/screens.ts';
import { mention } from '../support/staff-notes.ts';

const SETTINGS = /\/notifications\/settings$/;
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

async function openSettings(page: Page) {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Notifications...' }).click();
  await expect(dialog(page).getByText('On this device')).toBeVisible();
}

/** Records a page's notifications, because the test browser shows none. */
async function noteNotifications(
  page: Page,
  permission: NotificationPermission = 'default',
): Promise<void> {
  await page.addInitScript((granted) => {
    const shown: { title: string; body: string }[] = [];
    const made: Noted[] = [];
    class Noted {
      static permission = granted;
      static async requestPermission() {
        Noted.permission = 'granted';
        return 'granted';
      }
      onclick: (() => void) | null = null;
      constructor(title: string, { body = '' }: NotificationOptions) {
        shown.push({ title, body });
        made.push(this);
      }
      close() {}
    }
    Object.assign(window, { Notification: Noted, shown, made });
  }, permission);
}

/**
 * Gives a page a push service, because the test browser has none.
 * @param hasOtherKey whether the browser is already subscribed with another key of the server
 */
async function providePush(page: Page, hasOtherKey = false): Promise<void> {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const subscription = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/1',
    keys: { p256dh: pair.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  };
  await page.addInitScript(
    ({ json, hasOther }) => {
      let isOther = hasOther;
      const unsubscribe = async () => {
        isOther = false;
        return true;
      };
      const getSubscription = async () => ({ unsubscribe });
      const subscribe = async () => {
        if (isOther) throw new DOMException('Subscribed with another key', 'InvalidStateError');
        return { toJSON: () => json };
      };
      Object.assign(PushManager.prototype, { getSubscription, subscribe });
    },
    { json: subscription, hasOther: hasOtherKey },
  );
}

const shown = (page: Page) =>
  page.evaluate(() => (window as unknown as { shown: { title: string; body: string }[] }).shown);

/** Clicks the last notification. */
const clickShown = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { made: { onclick: () => void }[] }).made.at(-1)?.onclick(),
  );

/** Opens the console with desktop notifications on, and waits until this tab is the one that shows them. */
async function openWatching(desk: Desk, staff: Staff) {
  const { page, way } = await openLive(desk, staff, { prepare: noteNotifications });
  await openSettings(page);
  await dialog(page).getByRole('switch', { name: 'Desktop notifications' }).click();
  await expect(dialog(page).getByText('Shown while a console tab is open.')).toBeVisible();
  await page.keyboard.press('Escape');
  await untilLock(page, 'held');
  return { page, way };
}

/** Waits until a tab holds the notification lock and no tab waits for it (`held`), or until a tab waits for it (`pending`). */
const untilLock = (page: Page, state: 'held' | 'pending') =>
  until(`the notification lock is ${state}`, () =>
    page.evaluate(async (asked) => {
      const locks = await navigator.locks.query();
      const isLock = ({ name }: LockInfo) => name === 'stagedoor_news';
      if (asked === 'pending') return locks.pending?.some(isLock);
      return locks.held?.some(isLock) && !locks.pending?.some(isLock);
    }, state),
  );

test('the title shows the number of unread conversations, and stays current', async ({ desk }) => {
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

test('settings are shared by all of an admin’s devices, and the last change wins', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const held: (() => Promise<void>)[] = [];
  let isHolding = true;
  const page = await desk.open(staff, {
    prepare: (opened) =>
      opened.route(/notifications\/settings/, (route) => {
        if (route.request().method() === 'GET' || !isHolding) return route.continue();
        isHolding = false;
        held.push(() => route.continue());
      }),
  });
  await openSettings(page);
  await dialog(page).getByLabel('Messages from fans').selectOption('In all conversations');
  await dialog(page).getByRole('switch', { name: 'Show message text' }).click();
  await dialog(page).getByRole('switch', { name: 'Quiet hours' }).click();
  await expect(dialog(page).getByLabel('From', { exact: true })).toHaveValue('22:00');
  const saved = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes('570')),
  );
  await dialog(page).getByLabel('Until').fill('09:30');
  await expect.poll(() => held).toHaveLength(1);
  await held[0]?.();
  await saved;
  await expect(dialog(page).getByRole('switch', { name: 'Sound' })).not.toBeChecked();
  const other = await desk.open(staff);
  await openSettings(other);
  await expect(dialog(other).getByLabel('Messages from fans')).toHaveValue('all');
  await expect(dialog(other).getByRole('switch', { name: 'Show message text' })).toBeChecked();
  await expect(dialog(other).getByRole('switch', { name: 'Sales' })).toBeChecked();
  await expect(dialog(other).getByLabel('Until')).toHaveValue('09:30');
});

test('a setting that fails to save is reverted, and says so', async ({ desk }) => {
  const page = await desk.open(await desk.hire());
  await openSettings(page);
  await page.route(/notifications\/settings/, (route) => route.abort());
  await dialog(page).getByRole('switch', { name: 'Sales' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('Couldn’t save notifications');
  await expect(dialog(page).getByRole('switch', { name: 'Sales' })).toBeChecked();
});

test('a setting whose save is pending is kept when the dialog is opened again', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const page = await desk.open(staff);
  await openSettings(page);
  const letGo = await holdCalls(page, SETTINGS);
  await dialog(page).getByRole('switch', { name: 'Sales' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await openSettings(page);
  await expect(dialog(page).getByRole('switch', { name: 'Sales' })).not.toBeChecked();
  await dialog(page).getByRole('switch', { name: 'Mentions' }).click();
  letGo();
  await expect
    .poll(async () => (await staff.client.call(getNotificationSettings)).body.data)
    .toMatchObject({ sales: false, mentions: false });
});

test('a setting that fails to save after the dialog was closed is reported and can be retried', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const page = await desk.open(staff);
  await openSettings(page);
  const letGo = await holdCalls(page, SETTINGS, 500);
  await dialog(page).getByRole('switch', { name: 'Sales' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  letGo();
  const problem = page.getByRole('status').filter({ hasText: 'Couldn’t save notifications' });
  await expect(problem).toBeVisible();
  await page.unroute(SETTINGS);
  await problem.getByRole('button', { name: 'Retry' }).click();
  await expect
    .poll(async () => (await staff.client.call(getNotificationSettings)).body.data.sales)
    .toBe(false);
});

test('a fan’s message is shown while a tab is open, unless it was read at once', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const { page, way } = await openWatching(desk, staff);
  await openSettings(page);
  const kept = page.waitForResponse(/notifications\/settings/);
  await dialog(page).getByLabel('Messages from fans').selectOption('In all conversations');
  await kept;
  await page.keyboard.press('Escape');
  const read = await buildConversation(desk, { fan: { first_name: 'Read' }, messages: [] });
  const unread = await buildConversation(desk, { fan: { first_name: 'Unread' }, messages: [] });
  // The message and its read event reach the page at the same time.
  const release = way.hold();
  await buildFanMessage(desk, read.fan, { content: 'A secret' });
  await staff.client.call(markRead, { params: { id: read.id } });
  await buildFanMessage(desk, unread.fan, { content: 'Another secret' });
  release();
  await expect(row(page, 'Unread')).toBeVisible();
  await expect.poll(() => shown(page)).toEqual([{ title: 'Unread', body: 'New message' }]);
});

test('a notification does not wait for a sound that the browser delays', async ({ desk }) => {
  const staff = await desk.hire();
  const { page: settings } = await openWatching(desk, staff);
  await openSettings(settings);
  const kept = settings.waitForResponse(/notifications\/settings/);
  await dialog(settings).getByLabel('Messages from fans').selectOption('In all conversations');
  await kept;
  await dialog(settings).getByRole('switch', { name: 'Sound' }).click();
  // The user hasn't interacted with this tab. It shows the notifications once the other tab is closed.
  const page = await settings.context().newPage();
  await noteNotifications(page, 'granted');
  await page.goto('/inbox');
  await untilLock(page, 'pending');
  await settings.close();
  await untilLock(page, 'held');
  const { fan } = await buildConversation(desk, { fan: { first_name: 'Ana' }, messages: [] });
  await buildFanMessage(desk, fan);
  await expect.poll(() => shown(page)).toEqual([{ title: 'Ana', body: 'New message' }]);
});

test('a mention is shown without the note’s text, and leads to the note', async ({ desk }) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire()];
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const other = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const { page } = await openWatching(desk, kiwi);
  await mention(mango, kiwi, id, 'a secret');
  await expect
    .poll(() => shown(page))
    .toEqual([{ title: 'Ana', body: 'You were mentioned in a note' }]);
  await clickShown(page);
  await expect(page).toHaveURL(new RegExp(`/inbox/${id}\\?note=`));
  await expect(
    thread(page)
      .getByRole('article', { name: /^Staff note by/ })
      .filter({ hasText: 'a secret' }),
  ).toBeInViewport();
  // A visible conversation sends no notification; other conversations still do.
  await mention(mango, kiwi, id, 'seen at once');
  await mention(mango, kiwi, other.id, 'elsewhere');
  await expect
    .poll(async () => (await shown(page)).map(({ title }) => title))
    .toEqual(['Ana', 'Ben']);
});

test('a sale in the open conversation sends no notification, even in a narrow window', async ({
  desk,
}) => {
  const staff = await desk.hire({ role: 'manager' });
  const product = await buildProduct(staff);
  const sales = [];
  for (const first_name of ['Ana', 'Ben']) {
    const { id, fan } = await buildConversation(desk, { fan: { first_name } });
    sales.push(saleOf(fan, await buildOffer(staff, id, [product], 10), 10));
  }
  const { page } = await openWatching(desk, staff);
  await page.setViewportSize({ width: 600, height: 800 });
  await tab(page, 'All').click();
  await row(page, 'Ana').click();
  await expect(thread(page)).toBeVisible();
  for (const body of sales) await desk.platform.call(recordPurchase, { body });
  await expect.poll(async () => (await shown(page)).map(({ title }) => title)).toEqual(['Ben']);
});

test('an admin who disabled mentions gets none', async ({ desk }) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire()];
  const [one, two] = [
    await buildConversation(desk, { fan: { first_name: 'Ana' }, messages: [] }),
    await buildConversation(desk, { fan: { first_name: 'Ben' }, messages: [] }),
  ];
  const { page } = await openWatching(desk, kiwi);
  await openSettings(page);
  for (const change of [
    () => dialog(page).getByLabel('Messages from fans').selectOption('In all conversations'),
    () => dialog(page).getByRole('switch', { name: 'Mentions' }).click(),
  ]) {
    const kept = page.waitForResponse(/notifications\/settings/);
    await change();
    await kept;
  }
  await page.keyboard.press('Escape');
  await mention(mango, kiwi, one.id, 'not to be shown');
  await expect(page.getByRole('button', { name: 'Team, 1 new' })).toBeVisible();
  await buildFanMessage(desk, two.fan);
  await expect.poll(() => shown(page)).toEqual([{ title: 'Ben', body: 'New message' }]);
});

test('the service worker caches the console’s files and none of its data', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), { serviceWorker: true });
  await expect(row(page, 'Ana')).toBeVisible();
  const kept = await keptFiles(page.context(), page);
  expect(kept.some((path) => path.endsWith('.js'))).toBe(true);
  expect(kept.some((path) => path.includes('/api/'))).toBe(false);
});

/** Returns the files in the service worker's cache, once it runs. */
async function keptFiles(context: BrowserContext, page: Page): Promise<string[]> {
  await until('the service worker runs', () => context.serviceWorkers()[0]);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  return page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
}

/** Pushes to a page's service worker. Returns what it shows, because the test browser shows no notifications. */
async function showPushed(page: Page, payload: PushPayload) {
  const [worker] = page.context().serviceWorkers();
  return worker?.evaluate(
    (data) =>
      new Promise<{ title: string; options: NotificationOptions | undefined }>((resolve) => {
        const scope = globalThis as unknown as EventTarget & {
          registration: ServiceWorkerRegistration;
          PushEvent: new (type: string, init: { data: string }) => Event;
        };
        scope.registration.showNotification = async (title, options) => resolve({ title, options });
        scope.dispatchEvent(new scope.PushEvent('push', { data }));
      }),
    JSON.stringify(payload),
  );
}

test('a pushed mention is shown with a link to its note', async ({ desk }) => {
  const page = await desk.open(await desk.hire(), { serviceWorker: true });
  await keptFiles(page.context(), page);
  const [title, body] = ['Ana', 'You were mentioned in a note'];
  const ids = { conversation_id: 'c1', note_id: 'n1' };
  const shown = await showPushed(page, { kind: 'mention', ...ids, title, body });
  expect(shown).toMatchObject({ title, options: { body, data: { path: '/inbox/c1?note=n1' } } });
});

test('pushed notifications of two shifts don’t replace each other', async ({ desk }) => {
  const page = await desk.open(await desk.hire(), { serviceWorker: true });
  await keptFiles(page.context(), page);
  const title = 'You have a new shift';
  const first = await showPushed(page, { kind: 'shift', title, body: 'Monday' });
  const second = await showPushed(page, { kind: 'shift', title, body: 'Tuesday' });
  expect(first?.options?.tag).not.toBe(second?.options?.tag);
});

test('clicking a push notification navigates the open console without a reload, and input is kept', async ({
  desk,
}) => {
  const [one, other] = [
    await buildConversation(desk, { fan: { first_name: 'Ana' } }),
    await buildConversation(desk, { fan: { first_name: 'Ben' } }),
  ];
  const page = await desk.open(await desk.hire(), {
    serviceWorker: true,
    path: `/inbox/${one.id}`,
  });
  await keptFiles(page.context(), page);
  await tab(page, 'All').click();
  const field = page.getByPlaceholder('Reply as creator...');
  await field.fill('Half a thought');
  await page.evaluate(() => Object.assign(window, { isLoadedOnce: true }));
  const [worker] = page.context().serviceWorkers();
  await worker?.evaluate((path) => {
    const scope = globalThis as unknown as EventTarget & {
      ExtendableEvent: typeof Event;
      WindowClient: { prototype: { focus: () => Promise<unknown> } };
    };
    // Browsers only let a click on a real notification focus a window.
    scope.WindowClient.prototype.focus = async () => undefined;
    const notification = { close: () => undefined, data: { path } };
    const click = Object.assign(new scope.ExtendableEvent('notificationclick'), { notification });
    scope.dispatchEvent(click);
  }, `/inbox/${other.id}`);
  await expect(page).toHaveURL(new RegExp(`/inbox/${other.id}$`));
  await expect(field).toHaveValue('');
  await row(page, 'Ana').click();
  await expect(field).toHaveValue('Half a thought');
  expect(await page.evaluate(() => 'isLoadedOnce' in window)).toBe(true);
});

test('push notifications continue after the next sign-in', async ({ desk }) => {
  const staff = await desk.hire();
  const page = await desk.open(staff, {
    serviceWorker: true,
    async prepare(opened) {
      await noteNotifications(opened, 'granted');
      await providePush(opened);
    },
  });
  await keptFiles(page.context(), page);
  const isSubscribed = async () => {
    const token = await page.evaluate(() => localStorage.getItem('admin_token'));
    const { body } = await desk.staff(token ?? '').call(getNotificationSettings);
    return body.data.is_subscribed;
  };
  await openSettings(page);
  await dialog(page).getByRole('switch', { name: 'Desktop notifications' }).click();
  await expect(dialog(page).getByText('Shown even when no console tab is open.')).toBeVisible();
  expect(await isSubscribed()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await signIn(page, staff.admin.email, desk.server.smtp);
  await expect(page.getByRole('heading', { name: 'Fan Messages' })).toBeVisible();
  await expect.poll(isSubscribed).toBe(true);
});

test('a browser that is subscribed with another key of the server subscribes again', async ({
  desk,
}) => {
  const page = await desk.open(await desk.hire(), {
    serviceWorker: true,
    async prepare(opened) {
      await noteNotifications(opened, 'granted');
      await providePush(opened, true);
    },
  });
  await keptFiles(page.context(), page);
  await openSettings(page);
  await dialog(page).getByRole('switch', { name: 'Desktop notifications' }).click();
  await expect(dialog(page).getByText('Shown even when no console tab is open.')).toBeVisible();
});

test('while push is not available, notifications are shown in an open tab', async ({ desk }) => {
  const [author, named] = [await desk.hire(), await desk.hire()];
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(named, {
    prepare: (opened) => noteNotifications(opened, 'granted'),
  });
  await page.evaluate(
    (name) => localStorage.setItem(name, JSON.stringify({ shown: 'push' })),
    `stagedoor_notices:${named.admin.id}`,
  );
  await page.reload();
  await untilLock(page, 'held');
  await mention(author, named, id, 'see');
  await expect.poll(async () => (await shown(page)).map(({ title }) => title)).toEqual(['Ana']);
  await openSettings(page);
  await expect(dialog(page).getByText('Shown while a console tab is open.')).toBeVisible();
});

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

for (const size of [DESKTOP, PHONE]) {
  test(`setting up notifications has no serious accessibility issues (${size.name})`, async ({
    desk,
  }) => {
    const page = await desk.open(await desk.hire(), size);
    await openSettings(page);
    await dialog(page).getByRole('switch', { name: 'Quiet hours' }).click();
    await expect(dialog(page).getByLabel('From', { exact: true })).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
