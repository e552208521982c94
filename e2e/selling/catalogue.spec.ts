import { listFanMessages, recordPurchase } from '@stagedoor/contract/platform/platform';
import { type Folder, updateProduct } from '@stagedoor/contract/selling/products';
import { buildConversation, unique } from '../../apps/server/test/factories.ts';
import { buildFolder, buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import {
  addProducts,
  card,
  cards,
  choose,
  folderLink,
  openCatalogue,
} from '../support/catalogue-page.ts';
import { expect, test } from '../support/journey.ts';
import { gate, withoutLiveWay } from '../support/network.ts';

test('a product is deleted after confirmation, and stays if that fails', async ({ desk }) => {
  const { manager, open, stored } = await openCatalogue(desk);
  await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  await choose(page, 'Sunset', 'Delete');
  const question = page.getByRole('alertdialog', { name: 'Delete Product' });
  await expect(question).toHaveAccessibleDescription('Are you sure you want to delete "Sunset"?');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(card(page, 'Sunset')).toBeVisible();
  await page.route('**/api/products/*', (route) => route.abort());
  await choose(page, 'Sunset', 'Delete');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to delete product');
  await expect(card(page, 'Sunset')).toBeVisible();
  await page.unroute('**/api/products/*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No products yet')).toBeVisible();
  await expect.poll(stored).toEqual([]);
});

test('deleting a product does not take it from a fan who bought it', async ({ desk }) => {
  const { manager, open } = await openCatalogue(desk);
  const product = await buildProduct(manager, { title: 'Sunset' });
  const { id, fan } = await buildConversation(desk);
  const offer = await buildOffer(manager, id, [product], 5);
  const attachment_id = offer.attachments[0]?.id ?? '';
  const sale = { fan: fan.external_id, message_id: offer.id, attachment_id, amount: 5 };
  const body = { ...sale, payment_reference: unique('payment') };
  await desk.platform.call(recordPurchase, { body });
  const page = await open();
  await expect(card(page, 'Sunset')).toContainText('Sent 1 · Bought 1');
  await choose(page, 'Sunset', 'Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No products yet')).toBeVisible();
  const params = { fan: fan.external_id };
  const seen = await desk.platform.call(listFanMessages, { params });
  const bought = seen.body.data.find((message) => message.id === offer.id)?.attachments[0];
  expect(bought).toMatchObject({ locked: false, title: 'Sunset' });
  const picture = await fetch(new URL(bought?.url ?? '', desk.server.url));
  expect(picture.status).toBe(200);
  expect(picture.headers.get('content-type')).toMatch(/^image\//);
});

test('the catalog can be searched and sorted, within a folder and across all', async ({ desk }) => {
  const { manager, open } = await openCatalogue(desk);
  const { id: folder_id } = await buildFolder(manager, 'Posters');
  await buildProduct(manager, { title: 'Set 10', price: '5' });
  await buildProduct(manager, { title: 'Set 2', price: '20', description: 'By the sea' });
  await buildProduct(manager, { title: 'Aurora', price: '10', folder_id });
  const page = await open();
  await expect(cards(page)).toHaveText([/^Aurora/, /^Set 2/, /^Set 10/]);
  const sort = page.getByLabel('Sort products');
  await sort.selectOption('Title');
  await expect(cards(page)).toHaveText([/^Aurora/, /^Set 2/, /^Set 10/]);
  await sort.selectOption('Price: low to high');
  await expect(cards(page)).toHaveText([/^Set 10/, /^Aurora/, /^Set 2/]);
  await page.keyboard.press('Escape');
  await page.locator('body').press('/');
  const search = page.getByLabel('Search Products');
  await expect(search).toBeFocused();
  await search.fill('SEA');
  await expect(cards(page)).toHaveText([/^Set 2/]);
  await search.press('Escape');
  await expect(cards(page)).toHaveCount(3);
  await folderLink(page, 'Posters').click();
  await expect(page).toHaveURL(/folder=/);
  await expect(cards(page)).toHaveText([/^Aurora/]);
  await search.fill('set');
  await expect(page.getByText('No products found')).toBeVisible();
  await page.getByRole('button', { name: 'Show 2 in All Products' }).click();
  await expect(cards(page)).toHaveText([/^Set 10/, /^Set 2/]);
  await search.fill('nowhere');
  await page.getByRole('button', { name: 'Clear Search' }).last().click();
  await expect(cards(page)).toHaveCount(3);
});

test('a failed load says so, and can be retried', async ({ desk }) => {
  const { held, letGo } = gate();
  const { manager, open } = await openCatalogue(desk, {
    prepare: async (page) => {
      await withoutLiveWay(page);
      await page.route(/\/api\/(products|folders)$/, async (route) => {
        await held;
        await route.abort();
      });
    },
  });
  await buildProduct(manager, { title: 'Sunset' });
  await buildFolder(manager, 'Posters');
  const page = await open();
  await expect(page.getByText('Loading products...')).toBeVisible();
  letGo();
  const alerts = page.getByRole('alert');
  await expect(alerts.filter({ hasText: 'Failed to fetch products' })).toBeVisible();
  await expect(alerts.filter({ hasText: 'Failed to fetch folders' })).toBeVisible();
  await page.unroute(/\/api\/(products|folders)$/);
  await page.getByRole('main').getByRole('button', { name: 'Retry' }).click();
  await expect(card(page, 'Sunset')).toBeVisible();
  await page.getByRole('navigation').getByRole('button', { name: 'Retry' }).click();
  await expect(folderLink(page, 'Posters')).toBeVisible();
  await expect(alerts).toHaveCount(0);
});

test('a teammate’s changes show when the page becomes visible again', async ({ desk }) => {
  const { manager, open } = await openCatalogue(desk);
  const { id } = await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  await expect(card(page, 'Sunset')).toBeVisible();
  await manager.client.call(updateProduct, { params: { id }, body: { title: 'Dusk' } });
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  );
  await expect(card(page, 'Dusk')).toBeVisible();
});

test('staff without the permission see why, and are redirected to the inbox', async ({ desk }) => {
  const support = await desk.hire();
  const page = await desk.open(support, { path: '/products' });
  await expect(page.getByText('You do not have permission to access products.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Product' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Go to inbox now' }).click();
  await expect(page).toHaveURL(/\/inbox$/);
  await page.goto('/products');
  await expect(page.getByText('You do not have permission to access products.')).toBeVisible();
  await expect(page).toHaveURL(/\/inbox$/);
});

test('an admin demoted while the page is open is denied at the next change', async ({ desk }) => {
  const { manager } = await openCatalogue(desk);
  const { id } = await buildProduct(manager, { title: 'Sunset' });
  const page = await desk.open(manager, {
    path: '/products',
    prepare: (opened) =>
      // Demotes the admin only during the change. After an earlier demotion, the page's own refetches could be denied first.
      opened.route(`**/api/products/${id}`, async (route) => {
        await desk.db.kysely
          .updateTable('admins')
          .set({ role: 'support' })
          .where('id', '=', manager.admin.id)
          .execute();
        await route.continue();
      }),
  });
  await choose(page, 'Sunset', 'Deactivate');
  await expect(page.getByText('You do not have permission to access products.')).toBeVisible();
});

test('with a thousand products in a hundred folders, only visible cards are rendered', async ({
  desk,
}) => {
  const { manager, open } = await openCatalogue(desk);
  const like = await buildProduct(manager, { title: 'First of all' });
  const folders: Folder[] = [];
  for (let index = 0; index < 100; index++)
    folders.push(await buildFolder(manager, `Folder ${String(index).padStart(2, '0')}`));
  const rows = Array.from({ length: 999 }, (_, index) => ({
    title: `Product ${index}`,
    folder_id: folders[index % 100]?.id ?? null,
  }));
  await addProducts(desk, like, rows);
  const page = await open();
  await expect(page.getByRole('link', { name: /^All Products/ })).toHaveAccessibleName(/1,000/);
  await expect(folderLink(page, 'Folder 07')).toHaveAccessibleName(/10 products$/);
  await expect(cards(page).first()).toBeVisible();
  expect(await cards(page).count()).toBeLessThan(60);
  await page.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await expect(card(page, 'First of all')).toBeInViewport();
  expect(await cards(page).count()).toBeLessThan(60);
  await page.getByLabel('Search Products').fill('product 998');
  await expect(cards(page)).toHaveText([/^Product 998/]);
  await folderLink(page, 'Folder 99').click();
  await expect(cards(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear Search' }).last().click();
  await expect(cards(page)).toHaveCount(9);
});
