import { updateProduct } from '@stagedoor/contract/selling/products';
import { buildFolder, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import {
  cards,
  choose,
  dialog,
  folderLink,
  openCatalogue,
  pictureFile,
} from '../support/catalogue-page.ts';
import { DESKTOP, expect, PHONE, TABLET, test } from '../support/journey.ts';

for (const size of [DESKTOP, TABLET, PHONE]) {
  test(`the catalog has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const { manager, open } = await openCatalogue(desk, size);
    const check = async () => expect(await accessibilityIssues(page)).toEqual([]);
    const page = await open();
    await expect(page.getByText('No products yet')).toBeVisible();
    await check();
    const { id: folder_id } = await buildFolder(manager, 'A folder with a long name '.repeat(4));
    await buildFolder(manager, 'Empty');
    const title = 'An endless title, which no card has room for';
    const { id } = await buildProduct(manager, { title, folder_id });
    await buildProduct(manager, { title: 'Sunset' });
    await manager.client.call(updateProduct, { params: { id }, body: { is_active: false } });
    await page.reload();
    await expect(cards(page)).toHaveCount(2);
    if (size === PHONE) {
      const [left, right] = await Promise.all([0, 1].map((n) => cards(page).nth(n).boundingBox()));
      expect(right?.y).toBe(left?.y);
    }
    await check();
    await choose(page, 'Sunset', 'Move to Folder');
    await expect(dialog(page, 'Move to Folder')).toBeVisible();
    await check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create Product' }).click();
    const create = dialog(page, 'Create Product');
    await create.getByRole('button', { name: 'Create Product' }).click();
    await check();
    await create.getByLabel('Image').setInputFiles(await pictureFile());
    await expect(create.getByText('After purchase')).toBeVisible();
    await check();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await check();
    await page.getByRole('button', { name: 'Discard' }).click();
    await choose(page, title, 'Edit');
    await expect(dialog(page, 'Edit Product')).toBeVisible();
    await check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Manage Folders' }).click();
    await page.getByRole('button', { name: 'Rename Empty' }).click();
    await check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await folderLink(page, 'Empty').click();
    await expect(page.getByText('No products in “Empty”')).toBeVisible();
    await check();
    await page.route('**/api/products/*', (route) => route.abort());
    await folderLink(page, 'All Products').click();
    await choose(page, 'Sunset', 'Deactivate');
    await expect(page.getByRole('alert')).toHaveText('Failed to update product');
    await check();
  });
}

test(`the denial page has no serious accessibility issues`, async ({ desk }) => {
  const page = await desk.open(await desk.hire(), {
    path: '/products',
    // The test's clock keeps the page from redirecting before the checks are done.
    prepare: (opened) => opened.clock.install(),
  });
  await expect(page.getByText('You do not have permission to access products.')).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
});
