import type { Page } from '@playwright/test';
import { getNotes, updateNotes } from '@stagedoor/contract/fans/fans';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { expect, TABLET, test } from '../support/journey.ts';
import { failing } from '../support/network.ts';
import { bubble, button, composer, row, tab } from '../support/screens.ts';

const panel = (page: Page) => page.getByRole('complementary', { name: /^Notes/ });
const opener = (page: Page) => button(page, 'Notes');
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard changes?' });

test('notes are written, saved and read by a teammate', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(composer(page)).toBeVisible();
  await page.keyboard.press('n');
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByLabel('Location').fill('Lisbon');
  await expect(panel(page).getByLabel('Notes', { exact: true })).toHaveAttribute('rows', '6');
  await panel(page).getByLabel('Notes', { exact: true }).fill('Likes cats');
  await panel(page).getByRole('button', { name: 'Save' }).click();
  const word = panel(page).getByText('Saved successfully');
  await expect(word).toBeVisible();
  await expect(word).toBeHidden();
  await expect(panel(page).getByText('Likes cats')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(opener(page)).toBeFocused();

  const other = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await opener(other).click();
  await expect(panel(other)).toContainText('Lisbon');
});

test('a failed save keeps the text and shows an error; a failed load can be retried', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: failing('**/notes', 500),
  });
  await opener(page).click();
  await expect(panel(page).getByRole('alert')).toContainText('Failed to fetch notes');
  await page.unroute('**/notes');
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByLabel('Location').fill('Lisbon');
  await page.route('**/notes', (route) => route.fulfill({ status: 500, json: {} }));
  await panel(page).getByRole('button', { name: 'Save' }).click();
  await expect(panel(page).getByRole('alert')).toContainText('Failed to update notes');
  await expect(panel(page).getByLabel('Location')).toHaveValue('Lisbon');
  await expect(panel(page).getByText('Saved successfully')).toHaveCount(0);
  await page.unroute('**/notes');
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await expect(panel(page).getByText('Saved successfully')).toBeVisible();
});

test('a teammate’s newer notes are shown next to mine until I choose', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  const { client } = await desk.hire();
  await opener(page).click();
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByLabel('Location').fill('Lisbon');
  await panel(page).getByLabel('Marital status').fill('Married');
  const body = { location: 'Porto', dob: '1 May', version: 0 };
  const { version } = (await client.call(getNotes, { params: { id } })).body.data;
  await client.call(updateNotes, { params: { id }, body: { ...body, version } });
  await panel(page).getByRole('button', { name: 'Save' }).click();
  const conflict = panel(page).getByRole('alert');
  await expect(conflict).toContainText('Location: Porto');
  await expect(conflict).not.toContainText('1 May');
  await expect(panel(page).getByLabel('Location', { exact: true })).toHaveValue('Lisbon');
  await expect(panel(page).getByLabel('Date of birth')).toHaveValue('1 May');
  await expect(button(panel(page), 'Save')).toBeDisabled();
  expect((await client.call(getNotes, { params: { id } })).body.data.location).toBe('Porto');
  await conflict.getByRole('button', { name: 'Save Mine' }).click();
  await expect(panel(page).getByText('Saved successfully')).toBeVisible();
  expect((await client.call(getNotes, { params: { id } })).body.data).toMatchObject({
    location: 'Lisbon',
    dob: '1 May',
    marital_status: 'Married',
  });
});

test('unsaved changes survive a reload and are discarded only after confirmation', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.open(await desk.hire(), { path: '/inbox' });
  await tab(page, 'All').click();
  await row(page, 'Ana').click();
  await opener(page).click();
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByLabel('Location').fill('Lisbon');
  const asks = async (leave: () => Promise<unknown>) => {
    await leave();
    await expect(question(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question(page)).toHaveCount(0);
    await expect(panel(page).getByLabel('Location')).toHaveValue('Lisbon');
    await expect(page).toHaveURL(new RegExp(id));
  };
  await asks(() => page.getByRole('button', { name: 'Close Notes' }).click());
  await asks(() => panel(page).getByLabel('Location').press('Escape'));
  await asks(() => row(page, 'Ben').click());
  await asks(() => page.evaluate(() => history.back()));
  await page.reload();
  await opener(page).click();
  await expect(panel(page).getByLabel('Location')).toHaveValue('Lisbon');
  await row(page, 'Ben').click();
  await question(page).getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('heading', { name: 'Ben', exact: true })).toBeVisible();
  await tab(page, 'All').click();
  await row(page, 'Ana').click();
  // The docked panel stayed open.
  await expect(panel(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  await expect(panel(page)).not.toContainText('Lisbon');
});

test('on a wide screen the panel about the fan is open beside the thread until it is closed', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), { width: 1680, path: `/inbox/${id}` });
  const about = page.getByRole('complementary', { name: 'About Ana' });
  await expect(about).toBeVisible();
  const [thread, panel] = [await composer(page).boundingBox(), await about.boundingBox()];
  expect((thread?.x ?? 0) + (thread?.width ?? 0)).toBeLessThan(panel?.x ?? 0);
  await page.getByRole('button', { name: 'Close Panel' }).click();
  await expect(about).toBeHidden();
  await page.reload();
  await expect(composer(page)).toBeVisible();
  await expect(about).toBeHidden();
});

test('on a tablet the notes are a sheet below the thread, in which a reply can be written', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { ...TABLET, path: `/inbox/${id}` });
  await button(page, 'Notes').click();
  const panel = page.getByRole('complementary', { name: /^Notes on/ });
  await expect(panel).toBeVisible();
  await composer(page).fill('Written beside the notes');
  await composer(page).press('Enter');
  await expect(bubble(page, 'Written beside the notes').getByRole('time')).toBeVisible();
  await expect(panel).toBeVisible();
});
