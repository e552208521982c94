import { buildConversation } from '../../apps/server/test/factories.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { row, rows, searchBox, tab } from '../support/screens.ts';

test('the current list can be saved under a name, reopened and deleted', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Bea' }, status: 'archived' });
  const staff = await desk.hire();
  const page = await desk.open(staff);
  await tab(page, 'Archived').click();
  await page.getByLabel('Sort conversations').selectOption('Newest');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save this list as').fill('Old ones');
  await page.keyboard.press('Enter');
  const view = page.getByRole('button', { name: 'Old ones', exact: true });
  await expect(view).toBeVisible();
  await page.keyboard.press('Escape');
  await searchBox(page).fill('Ana');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByLabel('Save this list as').fill('Search');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();

  const again = await desk.open(staff);
  await again.getByRole('button', { name: 'Views' }).click();
  await again.getByRole('button', { name: 'Old ones', exact: true }).click();
  await expect(tab(again, 'Archived')).toHaveAttribute('aria-selected', 'true');
  await expect(again.getByLabel('Sort conversations')).toHaveValue('newest');
  await expect(rows(again)).toHaveText([/Bea/]);
  await again.getByRole('button', { name: 'Views' }).click();
  await again.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(searchBox(again)).toHaveValue('Ana');
  await expect(rows(again)).toHaveText([/Ana/]);
  await again.getByRole('button', { name: 'Views' }).click();
  await again.getByRole('button', { name: 'Delete View Old ones' }).click();
  await expect(again.getByRole('button', { name: 'Old ones', exact: true })).toHaveCount(0);
  await again.keyboard.press('Escape');
  await again.getByRole('button', { name: 'Undo' }).click();
  await again.getByRole('button', { name: 'Views' }).click();
  await expect(again.getByRole('button', { name: 'Old ones', exact: true })).toBeVisible();
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
  await expect(page.getByText('3 archived')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await tab(page, 'Archived').click();
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

test('on a phone rows can be selected after starting selection mode', async ({ desk }) => {
  await buildConversation(desk);
  const page = await desk.open(await desk.hire(), PHONE);
  await page.getByRole('button', { name: 'Views' }).tap();
  await page.getByRole('button', { name: 'Select Conversations' }).tap();
  await page.getByRole('checkbox', { name: 'Select Ana' }).tap();
  await expect(page.getByRole('status').filter({ hasText: '1 selected' })).toBeVisible();
  await expect(page).toHaveURL(/\/inbox$/);
});
