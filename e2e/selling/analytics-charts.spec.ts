import type { Page } from '@playwright/test';
import type { AnalyticsDay } from '@stagedoor/contract/selling/analytics';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';
import { tile } from '../support/screens.ts';
import { analytics, cellsOf, chart, openShop } from '../support/shop.ts';

const money = (amount: number) => `$${amount.toFixed(2)}`;

test('arrow keys move along the days of a chart, which announces its values', async ({ desk }) => {
  const { manager } = await openShop(desk);
  const page = await desk.open(manager, { path: '/console' });
  const revenue = chart(page, 'Revenue');
  const figure = page.getByRole('figure', { name: 'Revenue' });
  const said = figure.locator('[aria-live]');
  await revenue.focus();
  await expect(revenue).toHaveAccessibleDescription(
    / to .*: \$20\.00 in total\. Peak: \$10\.00 \(/,
  );
  await expect(said).toBeEmpty();
  await page.keyboard.press('ArrowLeft');
  await expect(said).toHaveText(/ \(so far\): \$0\.00$/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(said).toHaveText(/^\w{3}, \w{3} \d+, \d{4}: \$10\.00$/);
  // The announced value is also visible, and the other charts show their value of the same day.
  const [day = ''] = (await said.innerText()).split(': ');
  await expect(figure.getByText(day, { exact: true })).toBeVisible();
  await expect(page.getByRole('figure', { name: 'Purchases' })).toContainText(day);
  await page.keyboard.press('ArrowRight');
  await expect(said).toHaveText(/: \$0\.00$/);
  await page.keyboard.press('Home');
  const [first = ''] = (await said.innerText()).split(': ');
  await page.keyboard.press('ArrowLeft');
  await expect(said).toContainText(first);
  await page.keyboard.press('End');
  await expect(said).toContainText('(so far)');
  await page.keyboard.press('Escape');
  await expect(said).toBeEmpty();
});

test('mouse and touch read single days of a chart', async ({ desk }) => {
  const { manager } = await openShop(desk);
  const head = (page: Page) =>
    page.getByRole('figure', { name: 'Products Sent' }).locator('figcaption');
  const desktop = await desk.open(manager, { path: '/console' });
  await expect(head(desktop)).toContainText('Products Sent5');
  await chart(desktop, 'Messages').hover({ position: { x: 5, y: 80 } });
  // The other chart shows its value of the same day, the first day of the range.
  await expect(head(desktop)).toHaveText(/^Products Sent0\w{3}, \w{3} \d+, \d{4}$/);
  await tile(desktop, 'Revenue').hover();
  await expect(head(desktop)).toContainText('Products Sent5');

  const phone = await desk.open(manager, { ...PHONE, path: '/console' });
  await chart(phone, 'Messages').scrollIntoViewIfNeeded();
  const box = await chart(phone, 'Messages').boundingBox();
  if (!box) throw new Error('The chart is not shown');
  await phone.touchscreen.tap(box.x + box.width - 8, box.y + 60);
  await expect(head(phone)).toContainText('(so far)');
  await phone.getByRole('heading', { name: /^Activity/ }).tap();
  await expect(head(phone)).toContainText('Products Sent5');
});

test('the table shows the same numbers as the charts', async ({ desk }) => {
  const { manager } = await openShop(desk);
  let series: Promise<AnalyticsDay[]> = Promise.resolve([]);
  const page = await desk.open(manager, {
    path: '/console',
    prepare: (fresh) => {
      series = fresh
        .waitForResponse(/analytics\/overview/)
        .then(async (response) => (await response.json()).series);
      return Promise.resolve();
    },
  });
  await page.getByRole('button', { name: 'Show as Table' }).click();
  const rows = await cellsOf(page, 'Activity by Day');
  const days = await series;
  const expected = days.map((day) => [
    money(day.revenue),
    `${day.messages}`,
    `${day.products_sent}`,
    `${day.purchases}`,
  ]);
  expect(rows).toHaveLength(31);
  expect(rows.slice(0, -1).map((cells) => cells.slice(1))).toEqual(expected.toReversed());
  expect(rows.at(-1)).toEqual(['Total', '$20.00', '5', '5', '2']);
  await page.getByRole('button', { name: 'Show as Charts' }).click();
  await expect(chart(page, 'Revenue')).toBeVisible();
});

for (const size of [DESKTOP, PHONE]) {
  test(`the analytics have no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const { manager } = await openShop(desk);
    const page = await desk.open(manager, { ...size, path: '/console' });
    await chart(page, 'Revenue').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await accessibilityIssues(page)).toEqual([]);
    const overflowing = await analytics(page).evaluate((section) => {
      const wide: string[] = [];
      for (let node: Element | null = section; node; node = node.parentElement) {
        if (node.scrollWidth > node.clientWidth) wide.push(node.outerHTML.slice(0, 100));
      }
      return wide;
    });
    expect(overflowing).toEqual([]);
    await page.getByRole('button', { name: 'Show as Table' }).click();
    await page.getByRole('button', { name: 'View Sales', exact: true }).first().click();
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
