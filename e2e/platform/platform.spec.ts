import type { Page } from '@playwright/test';
import { getCreator } from '@stagedoor/contract/platform/platform';
import { listClosedPeriods } from '@stagedoor/contract/selling/earnings';
import { httpClient } from '../../apps/server/test/http-client.ts';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../apps/server/test/servers/webhook-receiver.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { test as base, type Desk, expect, type OpenOptions, PHONE } from '../support/journey.ts';
import { failing } from '../support/network.ts';
import { button } from '../support/screens.ts';

// All journeys here run in one worker, so that the receiver and its server start only once.
base.describe.configure({ mode: 'default' });

/** Like the base test, with a server that sends its webhooks to the `receiver` fixture. */
const test = base.extend<object, { receiver: WebhookReceiver }>({
  receiver: [
    async ({ browserName: _browserName }, use) => {
      const receiver = await startWebhookReceiver();
      await use(receiver);
      await receiver.close();
    },
    { scope: 'worker' },
  ],
  serverSettings: [
    async ({ receiver: { url, secret } }, use) =>
      use({ PLATFORM_WEBHOOK_URL: url, PLATFORM_WEBHOOK_SECRET: secret }),
    { scope: 'worker' },
  ],
});

test.beforeEach(({ receiver }) => {
  receiver.react = () => 204;
});

const keyField = (page: Page) => page.getByLabel('Platform key', { exact: true });
const row = (page: Page, type: string) =>
  page.getByRole('list', { name: 'Recent Deliveries' }).getByRole('button', { name: type });
const eventId = (page: Page) => details(page).getByRole('code').textContent();
const details = (page: Page) => page.getByRole('dialog', { name: 'webhook.test' });

async function openPlatform(desk: Desk, options: OpenOptions = {}): Promise<Page> {
  const staff = await desk.hire({ role: 'manager', codename: 'Plum' });
  const page = await desk.open(staff, { path: '/console/platform', ...options });
  await expect(page.getByRole('heading', { name: 'Platform Keys' })).toBeVisible();
  return page;
}

async function makeKey(page: Page, name: string): Promise<string> {
  await button(page, 'New Key').click();
  await page.getByLabel('Name').fill(name);
  await button(page, 'Create Key').click();
  await expect(keyField(page)).toBeFocused();
  return keyField(page).inputValue();
}

test('a key is created, opens the platform API, and stops working once revoked', async ({
  desk,
}) => {
  const page = await openPlatform(desk);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(page, 'New Key').click();
  await button(page, 'Create Key').click();
  await expect(page.getByRole('alert')).toHaveText('Enter a name');
  await expect(page.getByLabel('Name')).toBeFocused();
  await button(page, 'Cancel').click();
  const key = await makeKey(page, 'Fan app');
  await button(page, 'Copy Key').click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button(page, 'New Key')).toBeFocused();

  const program = httpClient(desk.server.url, key);
  await program.call(getCreator);
  const keys = page.getByRole('table', { name: 'Platform Keys' });
  await expect(keys.getByRole('row', { name: /^Fan app/ })).toContainText(`…${key.slice(-4)}`);
  await expect(keys.getByRole('row', { name: /^Fan app/ })).toContainText('Plum');
  await expect(page.getByText('One key is set on the server')).toBeVisible();
  await page.reload();
  await expect(keys.getByRole('row', { name: /^Fan app/ })).toContainText('Just now');
  expect(await page.content()).not.toContain(key);

  await button(page, 'Revoke Fan app').click();
  await expect(page.getByRole('alertdialog')).toContainText(
    `the key …${key.slice(-4)} will be rejected`,
  );
  await button(page, 'Revoke').click();
  await expect(keys).toHaveCount(0);
  await program.refused(getCreator);
  await button(page, 'Show Revoked Keys (1)').click();
  await expect(page.getByRole('table', { name: 'Revoked keys' })).toContainText('Revoked Just now');
});

test('a key for a payroll program reads pay periods and nothing else, and says so', async ({
  desk,
}) => {
  const page = await openPlatform(desk);
  await makeKey(page, 'Fan app');
  await button(page, 'Done').click();
  await button(page, 'Close Anyway').click();
  await button(page, 'New Key').click();
  await page.getByLabel('Name').fill('Payroll');
  await page.getByLabel('Access').selectOption('Pay periods only');
  await button(page, 'Create Key').click();
  const program = httpClient(desk.server.url, await keyField(page).inputValue());
  expect((await program.call(listClosedPeriods)).body.data).toEqual([]);
  await program.refused(getCreator);
  await button(page, 'Done').click();
  await button(page, 'Close Anyway').click();
  const names = page.getByRole('table', { name: 'Platform Keys' }).getByRole('rowheader');
  await expect(names).toHaveText(['PayrollPay periods only', 'Fan app']);
  await button(page, 'Revoke Payroll').click();
  await expect(page.getByRole('alertdialog')).toContainText('they can no longer read pay periods');
});

test('a dialog with a key that was not copied can’t be closed by accident', async ({ desk }) => {
  const page = await desk.open(await desk.hire({ role: 'manager' }), {
    path: '/console',
    ...PHONE,
  });
  await page.getByRole('link', { name: 'Platform' }).click();
  await makeKey(page, 'Bot');
  const question = page.getByRole('alertdialog', { name: 'Close without copying?' });
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => button(page, 'Done').click(),
    () => page.evaluate(() => history.back()),
  ];
  for (const way of ways) {
    await way();
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(keyField(page)).toBeVisible();
  }
  // A browser may close a dialog after repeated Escape presses, even though the page refuses each time.
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press('Escape');
    await expect(keyField(page)).toBeVisible();
  }
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(question).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await button(page, 'Close Anyway').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Platform Keys' })).toContainText('Bot');
});

test('a test event arrives signed, and is shown as delivered', async ({ desk, receiver }) => {
  const page = await openPlatform(desk);
  await expect(page.getByText(receiver.url)).toBeVisible();
  await expect(page.getByText('Nothing sent yet.')).toBeVisible();
  await button(page, 'Send Test Event').click();
  await expect(details(page).getByRole('status').first()).toHaveText('Delivered');
  await expect(details(page).getByRole('region', { name: 'Body' })).toContainText(
    '"sent_by": "Plum"',
  );
  await expect(details(page).getByRole('region', { name: 'Attempts' })).toContainText('204');
  const id = await eventId(page);
  const { event } = await receiver.next('the test event', (delivery) => delivery.id === id);
  expect(event.data).toEqual({ sent_by: 'Plum' });
  expect(receiver.forged).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(button(page, 'Send Test Event')).toBeFocused();
  await expect(row(page, 'webhook.test')).toContainText(/Delivered.*1 attempt.*204 in/);
  await expect(page.getByText('Events are being delivered. None are waiting.')).toBeVisible();
});

test('a failing receiver’s response is shown, and the event can be delivered again', async ({
  desk,
  receiver,
}) => {
  receiver.react = () => (response) => response.writeHead(503).end('closed for today');
  const page = await openPlatform(desk);
  await button(page, 'Send Test Event').click();
  const tries = details(page).getByRole('region', { name: 'Attempts' }).getByRole('listitem');
  await expect(tries.first()).toContainText('closed for today');
  await expect(details(page)).toContainText('This event is on its way.');
  await expect(button(page, 'Redeliver')).toBeDisabled();
  await expect(page.getByText('Deliveries are failing', { exact: false })).toBeVisible();
  receiver.react = () => 200;
  await expect(details(page).getByRole('status').first()).toHaveText('Delivered');
  const id = await eventId(page);
  const received = () =>
    receiver.received.filter((delivery) => delivery.accepted && delivery.id === id);
  expect(received()).toHaveLength(1);
  await button(page, 'Redeliver').click();
  await expect.poll(() => received().length).toBe(2);
  await expect(tries.nth(1)).toContainText('received');
  await expect(details(page).getByRole('status').first()).toHaveText('Delivered');
  await button(page, 'Close').click();
  await page.getByRole('radio', { name: 'Failed' }).check();
  await expect(page.getByText('No deliveries in this state')).toBeVisible();
  await page.getByRole('radio', { name: 'Delivered' }).check();
  await row(page, 'webhook.test').press('Enter');
  await expect(details(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row(page, 'webhook.test')).toBeFocused();
});

test(`deliveries have no serious accessibility issues`, async ({ desk, receiver }) => {
  const page = await openPlatform(desk, {});
  await button(page, 'Send Test Event').click();
  await expect(details(page).getByRole('status').first()).toHaveText('Delivered');
  await page.keyboard.press('Escape');
  receiver.react = () => 500;
  await button(page, 'Send Test Event').click();
  await expect(details(page).getByRole('region', { name: 'Attempts' })).toContainText('500');
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByText('Deliveries are failing', { exact: false })).toBeVisible();
  await expect(row(page, 'webhook.test')).toHaveCount(2);
  expect(await accessibilityIssues(page)).toEqual([]);
});

test('new deliveries appear in the open list', async ({ desk, receiver }) => {
  const page = await openPlatform(desk);
  await expect(page.getByText('Nothing sent yet.')).toBeVisible();
  const teammate = await desk.open(await desk.hire({ role: 'manager' }), {
    path: '/console/platform',
  });
  await button(teammate, 'Send Test Event').click();
  await receiver.next('the test event', ({ event }) => event.type === 'webhook.test');
  await expect(row(page, 'webhook.test')).toContainText('Delivered');
});

test('failed loads can be retried', async ({ desk }) => {
  const path = /\/api\/admin\/platform\/(keys|webhook)/;
  const page = await openPlatform(desk, {
    prepare: failing(path, 404),
  });
  await expect(page.getByRole('alert')).toHaveText([
    /Couldn’t load the keys/,
    /Couldn’t load the webhook/,
  ]);
  await page.unroute(path);
  for (const name of ['Platform Keys', 'Webhook'])
    await page.getByRole('region', { name }).getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('One key is set on the server')).toBeVisible();
  await expect(button(page, 'Send Test Event')).toBeVisible();
});
