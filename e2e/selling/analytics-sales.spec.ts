import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { buildConversation, buildReply } from '../../apps/server/test/factories.ts';
import { buildOffer } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import { expect, test } from '../support/journey.ts';
import { gate, withoutLiveWay } from '../support/network.ts';
import { button, tile } from '../support/screens.ts';
import { analytics, openShop } from '../support/shop.ts';

const sales = (page: Page) => page.getByRole('dialog', { name: 'Sales' });

test('sales are listed in total, by admin and by product, each linked to its conversation', async ({
  desk,
}) => {
  const { manager, ana } = await openShop(desk);
  const page = await desk.open(manager, { path: '/console?range=90' });
  const items = sales(page).getByRole('listitem');
  await button(analytics(page), 'View Sales').click();
  await expect(sales(page)).toContainText('All Sales · last 90 days');
  await expect(items).toHaveText([
    /^Cleo bought Backstage.*sent by Papaya.*\$24\.50Refunded$/,
    /^Ana bought Sunset Set.*sent by Kiwi.*\$10\.00$/,
    /^Ben bought Sunset Set/,
    /^Dora bought Backstage.*\$30\.25$/,
  ]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'View Sales of Papaya' }).click();
  await expect(items).toHaveText([/^Cleo/, /^Dora/]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'View Sales of Sunset Set' }).click();
  await expect(items).toHaveText([/^Ana/, /^Ben/]);
  await items.first().getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/inbox/${ana.id}$`));
});

test('a long list of sales loads page by page', async ({ desk }) => {
  const { manager } = await openShop(desk);
  const page = await desk.open(manager, {
    path: '/console?range=all',
    // Pages of two, so that four sales take several pages.
    prepare: (fresh) =>
      fresh.route(/\/api\/admin\/analytics\/sales/, (route) =>
        route.continue({ url: `${route.request().url()}&limit=2` }),
      ),
  });
  await button(analytics(page), 'View Sales').click();
  const items = sales(page).getByRole('listitem');
  await expect(items).toHaveText([/^Cleo/, /^Ana/]);
  const more = sales(page).getByRole('button', { name: 'Load More' });
  await more.click();
  await expect(items).toHaveText([/^Cleo/, /^Ana/, /^Ben/, /^Dora/]);
  await expect(more).toBeHidden();
});

test('sales that fail to load show an error with a retry', async ({ desk }) => {
  const { manager } = await openShop(desk);
  const page = await desk.open(manager, { path: '/console', prepare: withoutLiveWay });
  await page.route(/\/api\/admin\/analytics\/sales/, (route) => route.abort());
  await button(analytics(page), 'View Sales').click();
  await expect(sales(page).getByRole('alert')).toContainText('Couldn’t load sales');
  await page.unroute(/\/api\/admin\/analytics\/sales/);
  await sales(page).getByRole('button', { name: 'Retry' }).click();
  await expect(sales(page).getByRole('listitem')).toHaveCount(3);
});

async function exportOf(page: Page, name: string): Promise<{ file: string; rows: string[][] }> {
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name, exact: true }).click();
  const saved = await download;
  const text = await readFile(await saved.path(), 'utf8');
  expect(text).toMatch(/^\uFEFF/);
  const [, ...lines] = text.trimEnd().split('\r\n');
  return { file: saved.suggestedFilename(), rows: lines.map((line) => line.split(',')) };
}

const sum = (rows: string[][], column: number) =>
  rows.reduce((total, row) => total + Number(row[column]), 0).toFixed(2);

test('exported files have the same totals as the screen', async ({ desk }) => {
  const { manager } = await openShop(desk);
  const page = await desk.open(manager, { path: '/console?range=90' });
  await expect(tile(page, 'Revenue')).toHaveText('$50.25');
  await expect(tile(page, 'Purchases')).toHaveText('3');
  const admins = await exportOf(page, 'By admin');
  expect(admins.file).toBe('analytics-admins-90-days.csv');
  expect([sum(admins.rows, 5), sum(admins.rows, 4)]).toEqual(['50.25', '3.00']);
  const products = await exportOf(page, 'By product');
  expect([sum(products.rows, 4), sum(products.rows, 3)]).toEqual(['50.25', '3.00']);
  const days = await exportOf(page, 'By day');
  expect(days.rows).toHaveLength(90);
  expect([sum(days.rows, 4), sum(days.rows, 3)]).toEqual(['50.25', '3.00']);
  const list = await exportOf(page, 'Sales');
  expect(list.rows).toHaveLength(4);
  expect(sum(list.rows, 3)).toBe('50.25');
});

test('a running export says so; a failed one shows the error next to its button', async ({
  desk,
}) => {
  const page = await desk.open(await desk.hire({ role: 'manager' }), { path: '/console' });
  const { held, letGo } = gate();
  await page.route(/\/api\/admin\/analytics\/export/, async (route) => {
    await held;
    await route.abort();
  });
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.getByRole('menuitem', { name: 'By day' }).click();
  await expect(page.getByRole('button', { name: 'Exporting...' })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  letGo();
  await expect(analytics(page).getByRole('alert')).toHaveText('Couldn’t export the analytics');
  await expect(page.getByRole('button', { name: 'Export CSV' })).toBeVisible();
});

test('new purchases and refunds show without a reload', async ({ desk }) => {
  const { manager, kiwi, sunset } = await openShop(desk);
  const page = await desk.open(manager, { path: '/console' });
  await expect(tile(page, 'Purchases')).toHaveText('2');
  const { id, fan } = await buildConversation(desk);
  const sale = saleOf(fan, await buildOffer(kiwi, id, [sunset], 5.5), 5.5);
  await desk.platform.call(recordPurchase, { body: sale });
  await expect(tile(page, 'Purchases')).toHaveText('3');
  await expect(tile(page, 'Revenue')).toHaveText('$25.50');
  const { payment_reference } = sale;
  await desk.platform.call(recordRefund, { body: { payment_reference } });
  await expect(tile(page, 'Purchases')).toHaveText('2');
  await expect(tile(page, 'Revenue')).toHaveText('$20.00');
});

test('a page is up to date when it becomes visible again', async ({ desk }) => {
  const { manager, kiwi, ana } = await openShop(desk);
  const page = await desk.open(manager, { path: '/console' });
  await expect(tile(page, 'Total Messages')).toHaveText('5');
  await buildReply(kiwi, ana.id, { content: 'Hope you like it!' });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(tile(page, 'Total Messages')).toHaveText('6');
});
