import type { Page, Request } from '@playwright/test';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { type Desk, expect, test } from '../support/journey.ts';
import { holdCalls, withoutLiveWay } from '../support/network.ts';
import { tile } from '../support/screens.ts';
import { analytics, cellsOf, chart, openShop, sell } from '../support/shop.ts';

const OVERVIEW = /\/api\/admin\/analytics\/overview/;

const range = (page: Page, label: string) => page.getByRole('radio', { name: label });

/** Collects the queries of the page's requests for the overview. */
function overviewRequests(page: Page): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  page.on('request', (request: Request) => {
    if (OVERVIEW.test(request.url())) asked.push(new URL(request.url()).searchParams);
  });
  return asked;
}

async function openConsole(desk: Desk) {
  const shop = await openShop(desk);
  const asked: URLSearchParams[][] = [];
  const page = await desk.open(shop.manager, {
    path: '/console',
    prepare: async (fresh) => void asked.push(overviewRequests(fresh)),
  });
  return { ...shop, page, asked: asked[0] ?? [] };
}

test('the tiles, tables and charts show the last 30 days', async ({ desk }) => {
  const { page } = await openConsole(desk);
  await expect(range(page, '30 days')).toBeChecked();
  for (const [name, value] of [
    ['Total Messages', '5'],
    ['Products Sent', '5'],
    ['Purchases', '2'],
    ['Revenue', '$20.00'],
    ['Avg Purchase Value', '$10.00'],
    ['Conversion Rate', '40.0%'],
  ] as const) {
    await expect(tile(page, name)).toHaveText(value);
  }
  const admins = await cellsOf(page, 'Performance by Admin');
  expect(admins.map((cells) => [cells[0]?.slice(0, 6), ...cells.slice(1, 7)])).toEqual([
    ['Kiwiad', '3', '3', '2', '$20.00', '$10.00', '66.7%'],
    ['Papaya', '2', '2', '0', '$0.00', '$0.00', '0.0%'],
  ]);
  // The reply time is short: the fans wrote only moments before.
  expect(admins[0]?.[7]).toMatch(/^\d+ (s|min)/);
  expect((await cellsOf(page, 'Top Products')).map((cells) => cells.slice(0, 7))).toEqual([
    ['Sunset Set', '$9.99', '2', '2', '$20.00', '$10.00', '100.0%'],
    ['Backstage', '$25.00', '3', '0', '$0.00', '$0.00', '0.0%'],
  ]);
  await expect(chart(page, 'Revenue')).toBeVisible();
  await expect(page.getByRole('figure', { name: 'Purchases' })).toContainText('2');
});

test('a range starts at the viewer’s midnight, and is kept in the URL', async ({ desk }) => {
  const { page, asked } = await openConsole(desk);
  await expect(tile(page, 'Revenue')).toHaveText('$20.00');
  const first = new Date(asked[0]?.get('start_date') ?? '');
  expect(asked[0]?.get('tz')).toBe('Europe/Berlin');
  expect(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'medium' }).format(
      first,
    ),
  ).toBe('00:00:00');
  const dayOf = (at: Date) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(at);
  expect(Date.parse(dayOf(new Date())) - Date.parse(dayOf(first))).toBe(29 * 86_400_000);
  await range(page, '7 days').check();
  await expect(tile(page, 'Revenue')).toHaveText('$10.00');
  await expect(page).toHaveURL(/\?range=7$/);
  await range(page, '90 days').check();
  await expect(tile(page, 'Revenue')).toHaveText('$50.25');
  await page.reload();
  await expect(range(page, '90 days')).toBeChecked();
  await expect(tile(page, 'Revenue')).toHaveText('$50.25');
  await range(page, '90 days').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/\?range=all$/);
  await expect(tile(page, 'Purchases')).toHaveText('3');
  expect(asked.at(-1)?.has('start_date')).toBe(false);
});

test('tiles and charts show the change against the period before', async ({ desk }) => {
  const { manager, kiwi, sunset } = await openShop(desk);
  await sell(desk, kiwi, { fan: 'Finn', product: sunset, price: 8, daysAgo: 9 });
  const page = await desk.open(manager, { path: '/console?range=7' });
  const change = (name: string) => tile(page, name).locator('..').getByRole('definition').last();
  const revenue = page.getByRole('figure', { name: 'Revenue' });
  await expect(tile(page, 'Revenue')).toHaveText('$10.00');
  await expect(analytics(page).getByText(/\d{4} vs\. previous 7 days$/)).toBeVisible();
  await expect(change('Revenue').locator('[aria-hidden]').first()).toHaveText('+25%');
  await expect(change('Revenue')).toMatchAriaSnapshot('- definition: +25% vs. previous 7 days');
  await expect(revenue).toContainText('+25% vs. previous 7 days');
  await expect(change('Purchases')).toMatchAriaSnapshot('- definition: 0% vs. previous 7 days');
  await expect(change('Products Sent')).toHaveText('Nothing in the previous 7 days');
  await expect(change('Conversion Rate')).toHaveText('Nothing in the previous 7 days');
  expect(await accessibilityIssues(page)).toEqual([]);
  await range(page, '30 days').check();
  await expect(change('Revenue')).toHaveText('Nothing in the previous 30 days');
  await range(page, 'All time').check();
  await expect(tile(page, 'Purchases')).toHaveText('4');
  await expect(analytics(page).getByText(/previous/)).toHaveCount(0);
});

test('while another range loads, the previous figures stay', async ({ desk }) => {
  const { page } = await openConsole(desk);
  await expect(tile(page, 'Revenue')).toHaveText('$20.00');
  const letGo = await holdCalls(page, OVERVIEW);
  await range(page, '7 days').check();
  await expect(analytics(page).locator('[aria-busy]')).toBeVisible();
  await expect(tile(page, 'Revenue')).toHaveText('$20.00');
  letGo();
  await expect(tile(page, 'Revenue')).toHaveText('$10.00');
  await expect(analytics(page).locator('[aria-busy]')).toHaveCount(0);
});

test('tables sort by the clicked column', async ({ desk }) => {
  const { page } = await openConsole(desk);
  const table = page.getByRole('region', { name: 'Top Products' });
  const titles = async () => (await cellsOf(page, 'Top Products')).map(([title]) => title);
  await expect(table.getByRole('columnheader', { name: 'Revenue' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await table.getByRole('button', { name: 'Times Sent' }).click();
  expect(await titles()).toEqual(['Backstage', 'Sunset Set']);
  await table.getByRole('button', { name: 'Times Sent' }).press('Enter');
  expect(await titles()).toEqual(['Sunset Set', 'Backstage']);
  await table.getByRole('button', { name: 'Product', exact: true }).click();
  expect(await titles()).toEqual(['Backstage', 'Sunset Set']);
});

test('ranges without activity say so', async ({ desk }) => {
  const page = await desk.open(await desk.hire({ role: 'manager' }), { path: '/console' });
  await expect(analytics(page).getByText('No activity in this range')).toBeVisible();
  await expect(tile(page, 'Revenue')).toHaveText('$0.00');
  await expect(tile(page, 'Conversion Rate')).toHaveText('0.0%');
  await analytics(page).getByRole('button', { name: 'View Sales' }).click();
  await expect(page.getByRole('dialog').getByText('No sales in this range')).toBeVisible();
});

test('analytics that fail to load say why, with a retry', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, {
    path: '/console',
    prepare: async (fresh) => {
      await withoutLiveWay(fresh);
      await fresh.route(OVERVIEW, (route) => route.abort());
    },
  });
  const alert = analytics(page).getByRole('alert');
  await expect(alert).toContainText('Failed to load analytics');
  await page.unroute(OVERVIEW);
  await page.route(OVERVIEW, (route) =>
    route.fulfill({ status: 503, json: { error: 'Down for an hour', code: 'unavailable' } }),
  );
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(alert).toContainText('Down for an hour');
  await page.unroute(OVERVIEW);
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(tile(page, 'Revenue')).toHaveText('$0.00');
  await expect(alert).toBeHidden();
});

test('staff who can’t manage admins see no sales', async ({ desk }) => {
  const asked: URLSearchParams[][] = [];
  const page = await desk.open(await desk.hire(), {
    path: '/console',
    prepare: async (fresh) => void asked.push(overviewRequests(fresh)),
  });
  await expect(page.getByText(/^Access Denied/)).toBeVisible();
  await expect(analytics(page)).toBeHidden();
  expect(asked).toEqual([[]]);
});
