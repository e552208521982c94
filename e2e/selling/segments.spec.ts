import type { Page } from '@playwright/test';
import { recordPurchase } from '@stagedoor/contract/platform/platform';
import { createSegment, deleteSegment } from '@stagedoor/contract/selling/segments';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { type Desk, expect, PHONE, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { button, listMenu, row, rows, tab } from '../support/screens.ts';

/** Creates three fans: Ana has paid $60, Ben and Cleo have paid nothing. */
async function threeFans(desk: Desk) {
  const manager = await desk.hire({ role: 'manager' });
  const product = await buildProduct(manager, { title: 'Sunset Set', price: '60.00' });
  const ana = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  for (const first_name of ['Ben', 'Cleo']) await buildConversation(desk, { fan: { first_name } });
  const sale = saleOf(ana.fan, await buildOffer(manager, ana.id, [product], 60), 60);
  await desk.platform.call(recordPurchase, { body: sale });
  return { manager, ana };
}

const condition = (page: Page, words: string | RegExp) =>
  page.getByRole('group', { name: words }).last();
const count = (page: Page) =>
  page.getByRole('region', { name: 'Matching Fans' }).getByRole('status');

test('a rule is built by mouse while the count follows, saved, explained, and filters the inbox', async ({
  desk,
}) => {
  const { manager } = await threeFans(desk);
  const page = await desk.open(manager, { path: '/segments' });
  await expect(page.getByText('No segments yet')).toBeVisible();
  await page.getByRole('button', { name: 'New Segment' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Big spenders');
  await page.getByRole('button', { name: 'Save Segment' }).click();
  const amount = page.getByLabel('Amount in US dollars');
  await expect(page.getByText('Enter an amount')).toBeVisible();
  await expect(amount).toBeFocused();
  await amount.fill('50');
  await expect(count(page)).toHaveText('1 fan matches');
  await expect(page.getByRole('list', { name: 'Example Fans' })).toContainText('Ana');

  await page.getByRole('button', { name: 'Add Group' }).click();
  const nested = page.getByRole('group', { name: 'Group of conditions' });
  const inner = nested.getByRole('group', { name: 'Spent more than' });
  await inner.getByLabel('Field').selectOption('Name');
  await nested.getByLabel('Value').fill('ben');
  await expect(count(page)).toHaveText('0 fans match');
  await page.getByLabel('How many conditions have to match').first().selectOption('any');
  await expect(count(page)).toHaveText('2 fans match');
  expect(await accessibilityIssues(page)).toEqual([]);
  await nested.getByRole('button', { name: 'Remove Group' }).click();
  await expect(count(page)).toHaveText('1 fan matches');

  await page.getByRole('button', { name: 'Why is Ana included?' }).click();
  const why = page.getByRole('dialog', { name: 'Why Ana?' });
  await expect(why).toContainText('Spent more than $50.00');
  await expect(why).toContainText('This fan: $60.00');
  expect(await accessibilityIssues(page)).toEqual([]);
  await why.getByRole('button', { name: 'Check Another Fan' }).click();
  const search = page.getByRole('dialog', { name: 'Check a Fan' });
  await search.getByLabel('Search fans').fill('Ben');
  await search.getByRole('button', { name: 'Ben' }).click();
  await expect(page.getByText('Ben doesn’t match.')).toBeVisible();
  await expect(page.getByText('This fan: $0.00')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save Segment' }).click();
  const listed = page.getByRole('listitem').filter({ hasText: 'Big spenders' });
  await expect(listed).toContainText('Fans who match any of: Spent more than $50.00');
  await expect(listed).toContainText('1 fan');
  expect(await accessibilityIssues(page)).toEqual([]);

  await page.getByRole('button', { name: 'Back to Inbox' }).click();
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveCount(3);
  await listMenu(page, 'Filter by Segment');
  await page.getByRole('dialog').getByRole('button', { name: 'Big spenders' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, 'Ana')).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  // Ben and Cleo wait for a reply, Ana doesn't.
  const next = button(page, 'Next');
  await next.click();
  await expect(page.getByText('No one is waiting')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Filter Big spenders' }).click();
  await next.click();
  await expect(page.getByText(/^Claimed (Ben|Cleo)/).first()).toBeVisible();
});

test('a segment is locked while it is being saved, and a late save does not close the next form', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/segments' });
  const name = page.getByLabel('Name', { exact: true });
  await page.getByRole('button', { name: 'New Segment' }).click();
  await name.fill('Big spenders');
  await page.getByLabel('Amount in US dollars').fill('50');
  const save = await holdCalls(page, /\/api\/segments$/);
  await page.getByRole('button', { name: 'Save Segment' }).click();
  await expect(name).not.toBeEditable();
  await expect(page.getByLabel('Amount in US dollars')).not.toBeEditable();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'New Segment' }).click();
  await name.fill('Regulars');
  save();
  await expect(page.getByText('Segment saved')).toBeVisible();
  await expect(name).toHaveValue('Regulars');
});

test('a rule is built, saved and deleted by keyboard alone', async ({ desk }) => {
  const { manager } = await threeFans(desk);
  const page = await desk.open(manager, { path: '/segments' });
  const { keyboard } = page;
  await page.getByRole('button', { name: 'New Segment' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await keyboard.type('Bens');
  // Moves from the choice of all or any to the field of the first condition.
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.type('Name');
  await keyboard.press('Tab');
  await keyboard.type('ben');
  await expect(count(page)).toHaveText('1 fan matches');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(condition(page, 'Spent more than').getByLabel('Field')).toBeFocused();
  await keyboard.type('Claimed');
  await expect(count(page)).toHaveText('0 fans match');
  await keyboard.press('Tab');
  await keyboard.type('no');
  await expect(count(page)).toHaveText('1 fan matches');
  await page.getByRole('button', { name: 'Save Segment' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByText('Name contains “ben” · Not claimed by a teammate')).toBeVisible();
  await page.getByRole('button', { name: 'Delete Bens' }).focus();
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(page.getByText('No segments yet')).toBeVisible();
});

test('a saved view that loses its segment says so, and staff without the permission only look', async ({
  desk,
}) => {
  const { manager } = await threeFans(desk);
  const body = {
    name: 'Payers',
    rule: {
      all: [
        { field: 'purchases', op: 'gt', value: 0 },
        {
          any: [
            { field: 'unread', op: 'eq', value: false },
            { field: 'spent', op: 'gt', value: 50 },
          ],
        },
      ],
    },
  } as const;
  const { id } = (await manager.client.call(createSegment, { body })).body.data;
  const page = await desk.open(await desk.hire(), { path: '/segments' });
  await expect(
    page.getByText(
      'Number of purchases: more than 0 · (Has no unread messages or Spent more than $50.00)',
    ),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'New Segment' })).toHaveCount(0);
  await page.getByRole('button', { name: 'View Payers' }).click();
  await expect(count(page)).toHaveText('1 fan matches');
  await page.getByRole('button', { name: 'Back to Inbox' }).click();

  await listMenu(page, 'Filter by Segment');
  await page.getByRole('dialog').getByRole('button', { name: 'Payers' }).click();
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveCount(1);
  await listMenu(page, 'Save View');
  await page.getByLabel('Save this list as').fill('My payers');
  await button(page, 'Save').click();
  const view = button(page, 'My payers');
  await expect(view).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Remove Filter Payers' }).click();
  await expect(rows(page)).toHaveCount(3);
  await view.click();
  await expect(rows(page)).toHaveCount(1);

  await manager.client.call(deleteSegment, { params: { id } });
  const lost = 'The segment “Payers” was deleted, so this view shows all fans.';
  await expect(page.getByRole('img', { name: lost })).toBeVisible();
  await expect(page.getByText('Deleted segment')).toBeVisible();
  await view.click();
  await expect(rows(page)).toHaveCount(3);
});

test('dates and hours offer from and before; saved rules with other comparisons show the time', async ({
  desk,
}) => {
  const { manager } = await threeFans(desk);
  const value = '2026-11-20T23:00:00.000Z';
  const body = {
    name: 'Joined',
    rule: {
      any: [
        { field: 'joined_at', op: 'gte', value },
        { field: 'joined_at', op: 'lte', value },
        { field: 'timezone_hour', op: 'lte', value: 18 },
      ],
    },
  } as const;
  await manager.client.call(createSegment, { body });
  const page = await desk.open(manager, { path: '/segments' });
  await expect(page.getByRole('listitem').filter({ hasText: 'any of' })).toContainText(
    'Joined from Nov 21, 2026 · Joined until Nov 21, 2026, 00:00 · Fan’s local time until 18:59',
  );
  await page.getByRole('button', { name: 'Edit Joined' }).click();
  const comparisons = (words: RegExp) =>
    condition(page, words).getByLabel('Comparison').getByRole('option');
  const days = ['in the last', 'not in the last', 'from', 'before'];
  await expect(comparisons(/^Joined from/)).toHaveText(days);
  await expect(comparisons(/^Joined until/)).toHaveText([...days, 'until']);
  await expect(condition(page, /^Joined from/)).not.toContainText('00:00');
  // The name of the group has the time too.
  await expect(condition(page, /^Joined until/)).toContainText(/00:00.*00:00/);
  const hour = condition(page, /^Fan’s local time/);
  await expect(comparisons(/^Fan’s local time/)).toHaveText(['from', 'before', 'until']);
  await hour.getByLabel('Comparison').selectOption('before');
  await hour.getByLabel('Value').selectOption('18:00');
  await expect(comparisons(/^Fan’s local time/)).toHaveText(['from', 'before']);
});

test('a nested rule fits a phone, and can be saved without scrolling', async ({ desk }) => {
  const { manager } = await threeFans(desk);
  const page = await desk.open(manager, { ...PHONE, path: '/segments' });
  await page.getByRole('button', { name: 'New Segment' }).click();
  for (let depth = 2; depth <= 5; depth += 1)
    await page.getByRole('button', { name: 'Add Group' }).first().click();
  await condition(page, 'Spent more than').getByLabel('Field').selectOption('Joined');
  await condition(page, 'Joined').getByLabel('Comparison').selectOption('before');
  await expect(page.getByRole('button', { name: 'Add Group' })).toHaveCount(4);
  const overflow = () =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll('main *'), (element) => element.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .some(({ left, right }) => left < 0 || right > innerWidth),
    );
  expect(await overflow()).toBe(false);
  await expect(button(page, 'Save Segment')).toBeInViewport({ ratio: 1 });
  expect(await accessibilityIssues(page)).toEqual([]);
});
