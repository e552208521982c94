import type { Page } from '@playwright/test';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { DESKTOP, expect, PHONE, TABLET, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { keepToast, listMenu, row, rows, searchBox, tab } from '../support/screens.ts';

const view = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('the current list can be saved under a name, reopened and deleted', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Bea' }, status: 'archived' });
  const staff = await desk.hire();
  const page = await desk.open(staff);
  const save = async (name: string) => {
    await listMenu(page, 'Save View');
    await page.getByLabel('Save this list as').fill(name);
    await page.keyboard.press('Enter');
    await expect(view(page, name)).toHaveAttribute('aria-pressed', 'true');
  };
  await tab(page, 'Archived').click();
  await listMenu(page, 'Newest');
  await page.keyboard.press('Escape');
  await save('Old ones');
  await searchBox(page).fill('Ana');
  await save('Search');
  await expect(view(page, 'Old ones')).toHaveAttribute('aria-pressed', 'false');

  const again = await desk.open(staff);
  await view(again, 'Old ones').click();
  await expect(tab(again, 'Archived')).toHaveAttribute('aria-selected', 'true');
  await again.getByRole('button', { name: 'Filters' }).click();
  await expect(again.getByRole('radio', { name: 'Newest' })).toBeChecked();
  await again.keyboard.press('Escape');
  await expect(rows(again)).toHaveText([/Bea/]);
  await view(again, 'Search').click();
  await expect(searchBox(again)).toHaveValue('Ana');
  await expect(rows(again)).toHaveText([/Ana/]);
  await view(again, 'Old ones').click();
  await again.getByRole('button', { name: 'Delete View Old ones' }).click();
  await expect(view(again, 'Old ones')).toHaveCount(0);
  await again.getByRole('button', { name: 'Undo' }).click();
  await expect(view(again, 'Old ones')).toBeVisible();
});

test('rows are selected, a range with Shift, and archived together; Undo restores them', async ({
  desk,
}) => {
  for (const first_name of ['Ana', 'Bea', 'Cleo', 'Dora'])
    await buildConversation(desk, { fan: { first_name } });
  const page = await desk.open(await desk.hire());
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveCount(4);
  const check = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
  await row(page, 'Dora').hover();
  await check('Dora').click();
  await check('Bea').click({ modifiers: ['Shift'] });
  const bar = page.getByRole('toolbar', { name: 'Selected conversations' });
  await expect(bar.getByRole('status')).toHaveText('3 selected');
  await expect(page).toHaveURL(/\/inbox$/);
  await bar.getByRole('button', { name: 'Archive' }).click();
  await keepToast(page, '3 archived');
  await expect(bar).toHaveCount(0);
  await tab(page, 'Archived').press('Enter');
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('3 unarchived')).toBeVisible();
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveCount(4);
});

test('conversations that can’t be claimed stay selected, with the reason', async ({ desk }) => {
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Bea' }, claimedBy: kiwi.admin });
  const page = await desk.open(await desk.hire());
  await tab(page, 'All').click();
  for (const name of ['Ana', 'Bea']) {
    await row(page, name).hover();
    await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  }
  const bar = page.getByRole('toolbar', { name: 'Selected conversations' });
  await bar.getByRole('button', { name: 'Claim' }).click();
  await expect(
    page.getByText('1 claimed; 1 failed: Kiwi has claimed this conversation'),
  ).toBeVisible();
  await expect(bar.getByRole('status')).toHaveText('1 selected');
  await expect(page.getByRole('checkbox', { name: 'Select Bea' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
});

test('rows selected while an action is being saved stay selected, in the same list and in another', async ({
  desk,
}) => {
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  for (const first_name of ['Ana', 'Bea', 'Cleo'])
    await buildConversation(desk, { fan: { first_name } });
  await buildConversation(desk, { fan: { first_name: 'Dora' }, claimedBy: kiwi.admin });
  const page = await desk.open(await desk.hire());
  await tab(page, 'All').click();
  const bar = page.getByRole('toolbar', { name: 'Selected conversations' });
  const selected = bar.getByRole('status');
  const select = async (name: string) => {
    await row(page, name).hover();
    await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  };
  for (const name of ['Ana', 'Bea']) await select(name);
  const letGo = await holdCalls(page, /\/bulk$/);
  await bar.getByRole('button', { name: 'Archive' }).click();
  await select('Cleo');
  await expect(selected).toHaveText('3 selected');
  letGo();
  await keepToast(page, '2 archived');
  await expect(selected).toHaveText('1 selected');
  await expect(page.getByRole('checkbox', { name: 'Select Cleo' })).toBeChecked();

  await select('Dora');
  const letGoClaim = await holdCalls(page, /\/bulk$/);
  await bar.getByRole('button', { name: 'Claim' }).click();
  await tab(page, 'Archived').click();
  await select('Ana');
  letGoClaim();
  await expect(page.getByText('1 claimed; 1 failed')).toBeVisible();
  await expect(selected).toHaveText('1 selected');
  await expect(page.getByRole('checkbox', { name: 'Select Ana' })).toBeChecked();
});

test('several conversations are read, flagged and snoozed, and each can be undone', async ({
  desk,
}) => {
  for (const first_name of ['Ana', 'Bea']) await buildConversation(desk, { fan: { first_name } });
  const page = await desk.open(await desk.hire());
  await tab(page, 'All').click();
  const bar = page.getByRole('toolbar', { name: 'Selected conversations' });
  const select = async () => {
    for (const name of ['Ana', 'Bea']) {
      await row(page, name).hover();
      await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    }
  };
  const undo = async (text: string) => {
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText(text)).toBeVisible();
  };
  await select();
  await bar.getByRole('button', { name: 'Mark Read' }).click();
  await keepToast(page, '2 marked as read');
  await expect(rows(page).filter({ hasText: 'unread' })).toHaveCount(0);
  await undo('2 marked as unread');
  await select();
  await bar.getByRole('button', { name: 'Flag' }).click();
  await keepToast(page, '2 flagged');
  await expect(rows(page).filter({ hasText: 'flagged' })).toHaveCount(2);
  await undo('2 unflagged');
  await select();
  await bar.getByRole('button', { name: 'Snooze...' }).click();
  await page.getByRole('button', { name: 'Until they write' }).click();
  await keepToast(page, '2 snoozed');
  await expect(tab(page, 'Unread')).toHaveText('Unread');
  await undo('2 no longer snoozed');
});

test('the bar names its actions where the list has room', async ({ desk }) => {
  await buildConversation(desk);
  for (const [size, isNamed] of [
    [DESKTOP, true],
    [TABLET, false],
  ] as const) {
    const page = await desk.open(await desk.hire(), size);
    await listMenu(page, 'Select Conversations');
    await page.getByRole('checkbox', { name: 'Select Ana' }).click();
    const archive = page.getByRole('toolbar').getByText('Archive', { exact: true });
    await expect(archive).toBeVisible({ visible: isNamed });
  }
});

test('on a phone rows can be selected after starting selection mode', async ({ desk }) => {
  await buildConversation(desk);
  const page = await desk.open(await desk.hire(), PHONE);
  await listMenu(page, 'Select Conversations');
  await page.getByRole('checkbox', { name: 'Select Ana' }).tap();
  await expect(page.getByRole('status').filter({ hasText: '1 selected' })).toBeVisible();
  await expect(page).toHaveURL(/\/inbox$/);
});
