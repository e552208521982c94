import { createFolder } from '@stagedoor/contract/selling/products';
import { buildFolder, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { boxProblems } from '../support/boxes.ts';
import {
  card,
  choose,
  dialog,
  dragOnto,
  folderLink,
  middleOf,
  openCatalogue,
  pictureFile,
} from '../support/catalogue-page.ts';
import { expect, test } from '../support/journey.ts';
import { holdAnswers, holdCalls, withoutLiveWay } from '../support/network.ts';
import { keepToast } from '../support/screens.ts';

/** The calls that change or delete a product. */
const PRODUCT = /\/api\/products\/[\w-]{36}$/;

test('a card dragged onto a folder moves there, from 8 px on, and back with Undo', async ({
  desk,
}) => {
  const { manager, open, stored } = await openCatalogue(desk);
  const folder = await buildFolder(manager, 'Wallpapers');
  await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  const lifted = page.locator('[data-dragged]');
  await expect(card(page, 'Sunset')).toBeVisible();
  const { x, y } = await middleOf(card(page, 'Sunset'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 7);
  await expect(lifted).toHaveCount(0);
  await page.mouse.move(x, y + 9);
  await expect(lifted).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(lifted).toHaveCount(0);
  await page.mouse.up();

  await dragOnto(page, 'Sunset', 'Wallpapers');
  await expect(folderLink(page, 'Wallpapers')).toHaveAttribute('data-drop', 'true');
  await page.mouse.up();
  await keepToast(page, 'Moved “Sunset” to “Wallpapers”');
  await expect(card(page, 'Sunset')).toContainText('Wallpapers');
  await expect(dialog(page, 'Edit Product')).toHaveCount(0);
  await expect.poll(stored).toMatchObject([{ folder_id: folder.id }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'Sunset')).not.toContainText('Wallpapers');
  await expect.poll(stored).toMatchObject([{ folder_id: null }]);
});

test('a failed move is reverted and says so', async ({ desk }) => {
  const { manager, open, stored } = await openCatalogue(desk);
  const folder = await buildFolder(manager, 'Wallpapers');
  await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  await expect(card(page, 'Sunset')).toBeVisible();
  await page.route('**/api/products/*', (route) => route.abort());
  await dragOnto(page, 'Sunset', 'Wallpapers');
  await page.mouse.up();
  await expect(page.getByRole('alert')).toHaveText('Failed to move product');
  await expect(card(page, 'Sunset')).not.toContainText('Wallpapers');
  await expect(folderLink(page, 'Wallpapers')).toHaveAccessibleName(/0 products$/);
  await page.unroute('**/api/products/*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(card(page, 'Sunset')).toContainText('Wallpapers');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect.poll(stored).toMatchObject([{ folder_id: folder.id }]);
});

test('a product’s pending changes stay visible while the catalog is refetched', async ({
  desk,
}) => {
  const { manager, open, stored } = await openCatalogue(desk);
  await buildFolder(manager, 'Wallpapers');
  await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  const sunset = card(page, 'Sunset');
  await expect(sunset).toBeVisible();
  const letGo = await holdCalls(page, PRODUCT);
  await dragOnto(page, 'Sunset', 'Wallpapers');
  await page.mouse.up();
  await buildProduct(manager, { title: 'Dusk' });
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  await expect(card(page, 'Dusk')).toBeVisible();
  await expect(sunset).toContainText('Wallpapers');
  await choose(page, 'Sunset', 'Deactivate');
  const deactivated = await holdAnswers(page, '"is_active":false');
  const next = page.waitForRequest(
    (call) => PRODUCT.test(call.url()) && call.postData()?.includes('is_active') === true,
  );
  letGo();
  await next;
  await expect(sunset).toContainText('Inactive');
  deactivated();
  await expect.poll(stored).toContainEqual(expect.objectContaining({ is_active: false }));
  await expect(sunset).toContainText('Wallpapers');
});

test('a change made during a refetch of the catalog stays, and a teammate’s product appears', async ({
  desk,
}) => {
  const { manager, open } = await openCatalogue(desk, { prepare: withoutLiveWay });
  await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  await expect(card(page, 'Sunset')).toBeVisible();
  await page.getByRole('button', { name: 'Back to Console' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Console' })).toBeVisible();
  await buildProduct(manager, { title: 'Dusk' });
  const letGo = await holdAnswers(page, 'Dusk');
  await page.goBack();
  const saved = page.waitForResponse(PRODUCT);
  await choose(page, 'Sunset', 'Deactivate');
  await (await saved).finished();
  await expect(card(page, 'Sunset')).toContainText('Inactive');
  letGo();
  await expect(card(page, 'Dusk')).toBeVisible();
  await expect(card(page, 'Sunset')).toContainText('Inactive');
});

test('without a mouse a product is moved, opened and deactivated through its menu', async ({
  desk,
}) => {
  const { manager, open, stored } = await openCatalogue(desk);
  const folder = await buildFolder(manager, 'Wallpapers');
  await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  const menu = page.getByRole('button', { name: 'Actions for Sunset' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const move = dialog(page, 'Move to Folder');
  await expect(move.getByRole('radio', { name: /^No folder/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(move).toBeHidden();
  await expect(menu).toBeFocused();
  await expect(card(page, 'Sunset')).toContainText('Wallpapers');
  await expect.poll(stored).toMatchObject([{ folder_id: folder.id }]);
  await choose(page, 'Sunset', 'Deactivate');
  await expect(card(page, 'Sunset')).toContainText('Inactive');
  await expect.poll(stored).toMatchObject([{ is_active: false }]);
  await choose(page, 'Sunset', 'Activate');
  await expect(card(page, 'Sunset')).not.toContainText('Inactive');
  await expect.poll(stored).toMatchObject([{ is_active: true }]);
});

test('folders are created, renamed and deleted; their products stay', async ({ desk }) => {
  const { manager, open, stored } = await openCatalogue(desk);
  await manager.client.call(createFolder, { body: { name: 'Posters', description: null } });
  const page = await open();
  await page.getByRole('button', { name: 'Manage Folders' }).click();
  const manage = dialog(page, 'Manage Folders');
  const create = manage.getByRole('button', { name: 'Create Folder' });
  await create.click();
  await expect(manage.getByRole('alert')).toHaveText('Folder name is required');
  await expect(manage.getByLabel('Folder name')).toBeFocused();
  await manage.getByLabel('Folder name').fill('posters');
  await create.click();
  await expect(manage.getByRole('alert')).toHaveText('A folder with this name already exists');
  await expect(manage.getByLabel('Folder name')).toHaveValue('posters');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await manage.getByLabel('Folder name').fill('Wallpapers');
  await page.route('**/api/folders', (route) => route.abort());
  await create.click();
  await expect(manage.getByRole('alert')).toHaveText('Failed to create folder');
  await page.unroute('**/api/folders');
  await create.click();
  await expect(manage.getByRole('listitem')).toHaveText([/^Posters/, /^Wallpapers/]);
  await expect(manage.getByLabel('Folder name')).toHaveValue('');

  await manage.getByRole('button', { name: 'Rename Posters' }).click();
  const name = manage.getByLabel('New name');
  await expect(name).toBeFocused();
  await name.fill(' ');
  await name.press('Enter');
  await expect(manage.getByRole('alert')).toHaveText('Folder name is required');
  await name.fill('Zines');
  await page.route('**/api/folders/*', (route) => route.abort());
  await name.press('Enter');
  await expect(manage.getByRole('alert')).toHaveText('Failed to update folder');
  await page.unroute('**/api/folders/*');
  await name.press('Enter');
  await expect(manage.getByRole('listitem')).toHaveText([/^Wallpapers/, /^Zines/]);
  await expect(manage.getByRole('button', { name: 'Rename Zines' })).toBeFocused();
  await manage.getByRole('button', { name: 'Close', exact: true }).click();

  await folderLink(page, 'Zines').click();
  await expect(page.getByText('No products in “Zines”')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Create Product' }).click();
  const product = dialog(page, 'Create Product');
  await expect(product.getByRole('option', { name: 'Zines' })).toHaveJSProperty('selected', true);
  await product.getByLabel('Image').setInputFiles(await pictureFile());
  await product.getByLabel('Title').fill('Sunset');
  await product.getByRole('button', { name: 'Create Product' }).click();
  await expect(card(page, 'Sunset')).toContainText('Zines');

  await page.getByRole('button', { name: 'Manage Folders' }).click();
  await manage.getByRole('button', { name: 'Delete Zines' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete Folder' });
  await expect(question).toHaveAccessibleDescription(
    'Are you sure you want to delete folder "Zines"? Products in this folder will not be deleted.',
  );
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.route('**/api/folders/*', (route) => route.abort());
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(manage.getByRole('alert')).toHaveText(/^Failed to delete folder/);
  await page.unroute('**/api/folders/*');
  await manage.getByRole('button', { name: 'Retry' }).click();
  await expect(manage.getByRole('listitem')).toHaveText([/^Wallpapers/]);
  await page.keyboard.press('Escape');
  await expect(folderLink(page, 'All Products')).toHaveAttribute('aria-current', 'page');
  await expect(card(page, 'Sunset')).not.toContainText('Zines');
  await expect.poll(stored).toMatchObject([{ title: 'Sunset', folder_id: null }]);
});

test('a typed folder name stays when another rename is saved late, or another is begun', async ({
  desk,
}) => {
  const { manager, open } = await openCatalogue(desk);
  for (const name of ['Posters', 'Wallpapers']) await buildFolder(manager, name);
  const page = await open();
  await page.getByRole('button', { name: 'Manage Folders' }).click();
  const manage = dialog(page, 'Manage Folders');
  const name = manage.getByLabel('New name');
  await manage.getByRole('button', { name: 'Rename Posters' }).click();
  await name.fill('Prints');
  const save = await holdCalls(page, /\/api\/folders\/[\w-]{36}$/);
  await name.press('Enter');
  await manage.getByRole('button', { name: 'Cancel' }).click();
  await manage.getByRole('button', { name: 'Rename Wallpapers' }).click();
  await name.fill('Screens');
  save();
  await expect(manage.getByRole('button', { name: 'Rename Prints' })).toBeVisible();
  await expect(name).toHaveValue('Screens');

  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await manage.getByRole('button', { name: 'Rename Prints' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(name).toHaveValue('Screens');
  await manage.getByRole('button', { name: 'Rename Prints' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(name).toHaveValue('Prints');
});

for (const width of [390, 1440]) {
  test(`Manage Folders shows whole names, and its buttons in columns, at ${width} pixels`, async ({
    desk,
  }) => {
    const { manager, open } = await openCatalogue(desk, { width, height: 844 });
    const long = 'Behind the scenes of the summer tour, all pictures from Lisbon to Warsaw';
    for (const name of ['Wallpapers', long]) await buildFolder(manager, name);
    const page = await open();
    await page.getByRole('button', { name: 'Manage Folders' }).click();
    const manage = dialog(page, 'Manage Folders');
    const name = manage.getByText(long, { exact: true });
    await expect(name).toBeVisible();
    expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
    for (const action of ['Rename', 'Delete']) {
      const edges = await manage
        .getByRole('button', { name: new RegExp(`^${action}`) })
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right));
      expect(new Set(edges).size).toBe(1);
      expect(edges).toHaveLength(2);
    }
    expect(await boxProblems(page)).toEqual([]);
  });
}
