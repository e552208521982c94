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
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';

const looks = [
  { look: 'on a desktop', options: DESKTOP, isPhone: false },
  { look: 'on a tablet', options: { width: 820, height: 1180 }, isPhone: false },
  { look: 'on a phone', options: PHONE, isPhone: true },
];

for (const { look, options, isPhone } of looks) {
  test(`the catalog has no serious accessibility issues (${look})`, async ({ desk }) => {
    const { manager, open } = await openCatalogue(desk, options);
    const fits = async () => {
      expect(await accessibilityIssues(page)).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(options.width);
    };
    const page = await open();
    await expect(page.getByText('No products yet')).toBeVisible();
    await fits();
    const { id: folder_id } = await buildFolder(manager, 'A folder with a long name '.repeat(4));
    await buildFolder(manager, 'Empty');
    const title = 'An endless title, which no card has room for';
    const { id } = await buildProduct(manager, { title, folder_id });
    await buildProduct(manager, { title: 'Sunset' });
    await manager.client.call(updateProduct, { params: { id }, body: { is_active: false } });
    await page.reload();
    await expect(cards(page)).toHaveCount(2);
    if (isPhone) {
      const [left, right] = await Promise.all([0, 1].map((n) => cards(page).nth(n).boundingBox()));
      expect(right?.y).toBe(left?.y);
    }
    await fits();
    await choose(page, 'Sunset', 'Move to Folder');
    await expect(dialog(page, 'Move to Folder')).toBeVisible();
    await fits();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create Product' }).click();
    const create = dialog(page, 'Create Product');
    await create.getByRole('button', { name: 'Create Product' }).click();
    await fits();
    await create.getByLabel('Image').setInputFiles(await pictureFile());
    await expect(create.getByText('After purchase')).toBeVisible();
    await fits();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await fits();
    await page.getByRole('button', { name: 'Discard' }).click();
    await choose(page, title, 'Edit');
    await expect(dialog(page, 'Edit Product')).toBeVisible();
    await fits();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Manage Folders' }).click();
    await page.getByRole('button', { name: 'Rename Empty' }).click();
    await fits();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await folderLink(page, 'Empty').click();
    await expect(page.getByText('No products in “Empty”')).toBeVisible();
    await fits();
    await page.route('**/api/products/*', (route) => route.abort());
    await folderLink(page, 'All Products').click();
    await choose(page, 'Sunset', 'Deactivate');
    await expect(page.getByRole('alert')).toHaveText('Failed to update product');
    await fits();
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
