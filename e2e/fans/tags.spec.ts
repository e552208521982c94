import type { Page } from '@playwright/test';
import { replaceTags } from '@stagedoor/contract/fans/fans';
import { createGlobalTag, updateGlobalTag } from '@stagedoor/contract/fans/tags';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { type Desk, expect, PHONE, test } from '../support/journey.ts';
import { holdCalls, withoutLiveWay } from '../support/network.ts';
import { button, listMenu, row, rows, tab } from '../support/screens.ts';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const strip = (page: Page) => page.getByRole('list', { name: 'Tags', exact: true });
const mine = (page: Page) =>
  page.getByRole('list', { name: 'This fan’s tags' }).getByRole('listitem');

const TAGS = /\/conversation\/[^/]+\/tags$/;

/** Adds a custom tag. Opens the dialog if necessary. */
async function addCustom(page: Page, label: string) {
  const manage = dialog(page, 'Manage Tags');
  if ((await manage.count()) === 0) await button(page, 'Manage Tags').click();
  await manage.getByRole('tab', { name: 'Create Custom' }).click();
  await manage.getByLabel('Label').fill(label);
  await manage.getByRole('button', { name: 'Add Tag' }).click();
}

async function globalTag(desk: Desk, label: string) {
  const { client } = await desk.hire();
  return (await client.call(createGlobalTag, { body: { label, color: '#FF5733' } })).body.data;
}

/** Creates a conversation whose fan has their own tags. */
async function tagged(desk: Desk, ...labels: string[]) {
  const conversation = await buildConversation(desk);
  const { client } = await desk.hire();
  const tags = labels.map((label) => ({ label, color: '#FF5733' }));
  await client.call(replaceTags, { params: { id: conversation.id }, body: { tags } });
  return conversation;
}

test('tags are added from the library or created, live for teammates, and hidden from the choices once on the fan', async ({
  desk,
}) => {
  await globalTag(desk, 'VIP');
  await globalTag(desk, 'Portugal');
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  const other = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  const opener = page.getByRole('button', { name: 'Manage Tags' });
  await opener.click();
  const manage = dialog(page, 'Manage Tags');
  await expect(manage.getByRole('tab')).toHaveText(['Add from Global', 'Create Custom']);
  const search = manage.getByLabel('Search global tags');
  await search.fill('ORT');
  await expect(manage.getByRole('button', { name: 'Add VIP' })).toHaveCount(0);
  await manage.getByRole('button', { name: 'Add Portugal' }).click();
  await search.fill('');
  await expect(manage.getByRole('button', { name: 'Add Portugal' })).toHaveCount(0);
  await expect(manage.getByRole('button', { name: 'Add VIP' })).toBeVisible();
  await expect(strip(other)).toContainText('Portugal');

  await manage.getByRole('tab', { name: 'Create Custom' }).click();
  await expect(manage.getByLabel('Color')).toHaveValue('#ff5733');
  const add = manage.getByRole('button', { name: 'Add Tag' });
  await manage.getByLabel('Label').fill('   ');
  await expect(add).toBeDisabled();
  await manage.getByLabel('Label').fill('Loves cats');
  await add.click();
  await expect(strip(other).getByRole('listitem')).toHaveText([/Portugal/, /Loves cats/]);
  await manage.getByRole('button', { name: 'Remove Portugal' }).click();
  await expect(strip(other).getByRole('listitem')).toHaveText([/Loves cats/]);
  await tab(other, 'All').click();
  await expect(row(other, 'Ana')).toContainText('Loves cats');
  await page.keyboard.press('Escape');
  await expect(manage).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('Enter in the search adds the first match, and ArrowDown leads to the matches', async ({
  desk,
}) => {
  for (const label of ['VIP', 'Portugal', 'Birthday']) await globalTag(desk, label);
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await page.getByRole('button', { name: 'Manage Tags' }).click();
  const search = page.getByLabel('Search global tags');
  await search.fill('birth');
  await search.press('Enter');
  await expect(mine(page)).toHaveText([/Birthday/]);
  await expect(search).toHaveValue('');
  await expect(search).toBeFocused();
  await search.fill('vi');
  await expect(page.getByRole('button', { name: /^Add (VIP|Portugal)$/ })).toHaveCount(1);
  await search.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'Add VIP' })).toBeFocused();
});

test('a failed save keeps the changes and can be retried', async ({ desk }) => {
  const { id } = await tagged(desk, 'One', 'Two');
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await page.getByRole('button', { name: 'Manage Tags' }).click();
  await page.route('**/tags', (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'Remove One' }).click();
  await expect(page.getByRole('alert')).toContainText('Failed to update tags');
  await expect(mine(page)).toHaveText([/Two/]);
  await expect(strip(page).getByRole('listitem')).toHaveCount(2);
  await page.unroute('**/tags');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(strip(page).getByRole('listitem')).toHaveText([/Two/]);
});

test('a tag whose save is pending is kept when the dialog is opened again', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  const letGo = await holdCalls(page, TAGS);
  await addCustom(page, 'One');
  await button(page, 'Done').click();
  await expect(dialog(page, 'Manage Tags')).toHaveCount(0);
  await addCustom(page, 'Two');
  await expect(mine(page)).toHaveText([/One/, /Two/]);
  await mine(page).getByRole('button', { name: 'Remove Two' }).click();
  await addCustom(page, 'Three');
  await expect(mine(page)).toHaveText([/One/, /Three/]);
  letGo();
  await expect(strip(page).getByRole('listitem')).toHaveText([/One/, /Three/]);
});

test('tags that fail to save after the dialog was closed are reported and can be retried', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  const letGo = await holdCalls(page, TAGS, 500);
  await addCustom(page, 'One');
  await button(page, 'Done').click();
  await expect(dialog(page, 'Manage Tags')).toHaveCount(0);
  letGo();
  const problem = page.getByRole('status').filter({ hasText: 'Ana: Failed to update tags' });
  await expect(problem).toBeVisible();
  await page.unroute(TAGS);
  await problem.getByRole('button', { name: 'Retry' }).click();
  await expect(strip(page).getByRole('listitem')).toHaveText([/One/]);
});

test('everyone can manage the library, and changes are live on every fan', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire());
  const other = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await button(page, 'Tags').click();
  const library = dialog(page, 'Global Tags Library');
  await expect(library.getByText('Manage reusable tags for all users')).toBeVisible();
  await expect(library.getByText('No global tags yet. Create one above!')).toBeVisible();
  await library.getByRole('button', { name: 'Create New Global Tag' }).click();
  await expect(button(library, 'Create')).toBeDisabled();
  await library.getByLabel('Label').fill('VIP');
  await button(library, 'Create').click();
  await expect(library.getByRole('listitem')).toHaveText(['VIP']);

  await other.getByRole('button', { name: 'Manage Tags' }).click();
  await other.getByRole('button', { name: 'Add VIP' }).click();
  await expect(strip(other)).toContainText('VIP');
  await library.getByRole('button', { name: 'Edit VIP' }).click();
  await expect(library.getByLabel('Label')).toHaveValue('VIP');
  await library.getByLabel('Label').fill(' ');
  await expect(library.getByRole('button', { name: 'Save' })).toBeDisabled();
  await library.getByLabel('Label').fill('Whale');
  await library.getByRole('button', { name: 'Save' }).click();
  await expect(library.getByRole('listitem')).toHaveText(['Whale']);
  await expect(strip(other)).toContainText('Whale');
  await expect(mine(other)).toHaveText([/Whale/]);

  await library.getByRole('button', { name: 'Delete Whale' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete tag "Whale"?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(library.getByText('No global tags yet. Create one above!')).toBeVisible();
  await expect(mine(other)).toHaveCount(0);
  await expect(strip(other)).toHaveCount(0);
  await button(library, 'Close').click();
  await expect(library).toHaveCount(0);
  await expect(button(page, 'Tags')).toBeFocused();
});

test('a late creation of a tag does not close the next form', async ({ desk }) => {
  const page = await desk.open(await desk.hire(), { prepare: withoutLiveWay });
  await button(page, 'Tags').click();
  const library = dialog(page, 'Global Tags Library');
  const label = library.getByLabel('Label');
  await expect(library.getByText('No global tags yet. Create one above!')).toBeVisible();
  const create = await holdCalls(page, /\/global-tags$/);
  await library.getByRole('button', { name: 'Create New Global Tag' }).click();
  await label.fill('VIP');
  await button(library, 'Create').click();
  await button(library, 'Cancel').click();
  await library.getByRole('button', { name: 'Create New Global Tag' }).click();
  await label.fill('Regular');
  create();
  await expect(library.getByRole('listitem')).toHaveText(['VIP']);
  await expect(label).toHaveValue('Regular');
});

test('a late save of a tag does not close its next question', async ({ desk }) => {
  await globalTag(desk, 'VIP');
  const page = await desk.open(await desk.hire(), { prepare: withoutLiveWay });
  await button(page, 'Tags').click();
  const library = dialog(page, 'Global Tags Library');
  await library.getByRole('button', { name: 'Edit VIP' }).click();
  await library.getByLabel('Label').fill('Whale');
  const save = await holdCalls(page, /\/global-tags\/[\w-]{36}$/);
  await button(library, 'Save').click();
  await button(library, 'Cancel').click();
  await library.getByRole('button', { name: 'Delete VIP' }).click();
  save();
  await expect(page.getByRole('alertdialog', { name: 'Delete tag "Whale"?' })).toBeVisible();
});

test('a tag filters the inbox until its chip is removed', async ({ desk }) => {
  const { id } = await tagged(desk, 'Loves cats');
  const ben = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Filter by Loves cats' }).click();
  await expect(rows(page)).toHaveText([/Ana/]);
  const { client } = await desk.hire();
  const tags = [{ label: 'loves CATS' }];
  await client.call(replaceTags, { params: { id: ben.id }, body: { tags } });
  await page.mouse.move(1200, 500);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove Filter Loves cats' }).click();
  await expect(page.getByText('Tagged')).toHaveCount(0);
  await expect(rows(page)).toHaveCount(2);
});

test('any library tag can filter the inbox, and its chip follows a rename', async ({ desk }) => {
  const { id } = await globalTag(desk, 'VIP');
  await tagged(desk, 'Other');
  const page = await desk.open(await desk.hire(), PHONE);
  await listMenu(page, 'Filter by Tag');
  await page.getByRole('list', { name: 'Tags' }).getByRole('button', { name: 'VIP' }).click();
  await expect(page.getByText('Tagged')).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  const { client } = await desk.hire();
  await client.call(updateGlobalTag, { params: { id }, body: { label: 'Whale' } });
  await page.getByRole('button', { name: 'Remove Filter Whale' }).click();
  await expect(rows(page)).toHaveCount(1);
});
