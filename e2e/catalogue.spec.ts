import { listFanMessages, recordPurchase } from '@stagedoor/contract/platform';
import {
  createFolder,
  type Folder,
  listProducts,
  updateProduct,
} from '@stagedoor/contract/products';
import { buildFolder, buildOffer, buildProduct } from '../apps/server/test/catalogue.ts';
import { buildConversation, unique } from '../apps/server/test/factories.ts';
import {
  addProducts,
  card,
  cards,
  choose,
  dialog,
  dragOnto,
  folderLink,
  middleOf,
  pictureFile,
} from './support/catalogue-page.ts';
import { type Desk, expect, type OpenOptions, test } from './support/journey.ts';

/** The products page as a manager has it open. */
async function openCatalogue(desk: Desk, options: OpenOptions = {}) {
  const manager = await desk.hire({ role: 'manager' });
  const open = () => desk.open(manager, { path: '/products', ...options });
  const stored = async () => (await manager.client.call(listProducts)).body.data;
  return { manager, open, stored };
}

test('the first product is made from the empty page, with all that is said of it', async ({
  desk,
}) => {
  const { manager, open, stored } = await openCatalogue(desk);
  const folder = await buildFolder(manager, 'Wallpapers');
  const page = await open();
  await expect(page).toHaveTitle('Products');
  await expect(page.getByText('No products yet')).toBeVisible();
  await page.getByRole('button', { name: 'Create Your First Product' }).click();
  const create = dialog(page, 'Create Product');
  await expect(create.getByLabel('Price (USD)')).toHaveValue('9.99');
  await expect(create.getByLabel('Price (USD)')).toHaveAttribute('step', '0.01');
  await expect(create.getByLabel('Image')).toBeFocused();
  await create.getByLabel('Image').setInputFiles(await pictureFile());
  await expect(create.getByText('Locked, as fans see it first')).toBeVisible();
  await expect(create.getByText('sunset.png')).toBeVisible();
  await create.getByLabel('Title').fill('  Sunset ');
  await create.getByLabel('Description').fill('By the sea');
  await create.getByLabel('Price').fill('12.50');
  await create.getByLabel('Folder').selectOption('Wallpapers');
  await create.getByRole('button', { name: 'Create Product' }).click();
  await expect(create).toBeHidden();
  await expect(card(page, 'Sunset')).toContainText('$12.50');
  await expect(card(page, 'Sunset')).toContainText('Message');
  await expect(card(page, 'Sunset')).toContainText('Active');
  await expect(card(page, 'Sunset')).toContainText('Wallpapers');
  await expect(card(page, 'Sunset')).toContainText('Sent 0 · Bought 0');
  await expect(folderLink(page, 'Wallpapers')).toHaveAccessibleName(/1 product$/);
  expect(await stored()).toMatchObject([
    { title: 'Sunset', description: 'By the sea', price: 12.5, folder_id: folder.id },
  ]);
});

test('a new product is checked field by field before anything is sent', async ({ desk }) => {
  const page = await (await openCatalogue(desk)).open();
  let isAsked = false;
  await page.route('**/api/products', (route) => {
    isAsked ||= route.request().method() === 'POST';
    return route.continue();
  });
  await page.getByRole('button', { name: 'Create Product' }).click();
  const create = dialog(page, 'Create Product');
  const submit = create.getByRole('button', { name: 'Create Product' });
  const image = create.getByLabel('Image');
  await create.getByLabel('Price').fill('0');
  await submit.click();
  await expect(create.getByRole('alert')).toHaveText([
    'Please select an image',
    'Title is required',
    'Please enter a valid price',
  ]);
  await expect(image).toBeFocused();

  const text = Buffer.from('text');
  await image.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: text });
  await expect(create.getByText('Please select an image file')).toBeVisible();
  const large = Buffer.alloc(10 * 1024 * 1024);
  await image.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: large });
  await expect(create.getByText('File size must be less than 10MB')).toBeVisible();
  await image.setInputFiles(await pictureFile());
  await expect(create.getByRole('alert')).toHaveText([
    'Title is required',
    'Please enter a valid price',
  ]);
  await submit.click();
  await expect(create.getByLabel('Title')).toBeFocused();
  await create.getByLabel('Title').fill('Sunset');
  await expect(create.getByRole('alert')).toHaveText(['Please enter a valid price']);
  await create.getByLabel('Price').fill('1.005');
  await submit.click();
  await expect(create.getByLabel('Price')).toBeFocused();
  expect(isAsked).toBe(false);
});

test('a creation that fails keeps what was typed and chosen, and says why', async ({ desk }) => {
  const { open, stored } = await openCatalogue(desk);
  const page = await open();
  await page.getByRole('button', { name: 'Create Product' }).click();
  const create = dialog(page, 'Create Product');
  const submit = create.getByRole('button', { name: 'Create Product' });
  // An image by its name only: the server looks closer.
  const broken = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await create.getByLabel('Image').setInputFiles(broken);
  await create.getByLabel('Title').fill('Sunset');
  await submit.click();
  await expect(create.getByRole('alert')).toHaveText(/^“a.png” can’t be used/);
  await expect(create.getByLabel('Image')).toBeFocused();
  await create.getByLabel('Image').setInputFiles(await pictureFile());
  await page.route('**/api/products', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await submit.click();
  await expect(create.getByRole('alert')).toHaveText('Failed to create product');
  await page.unroute('**/api/products');
  const json = { error: 'There is no space left', code: 'storage_full' };
  await page.route('**/api/products', (route) => route.fulfill({ status: 507, json }));
  await submit.click();
  await expect(create.getByRole('alert')).toHaveText('There is no space left');
  await expect(create.getByLabel('Title')).toHaveValue('Sunset');
  await expect(create.getByText('sunset.png')).toBeVisible();
  await page.unroute('**/api/products');
  await submit.click();
  await expect(create).toBeHidden();
  await expect(card(page, 'Sunset')).toBeVisible();
  expect(await stored()).toHaveLength(1);
});

test('a picture is dropped on the page or pasted, too; what would be lost is asked about', async ({
  desk,
}) => {
  const page = await (await openCatalogue(desk)).open();
  await expect(page.getByText('No products yet')).toBeVisible();
  const hand = async (event: 'drop' | 'paste', name: string) => {
    const bytes = [...(await pictureFile()).buffer];
    await page.evaluate(
      ([type, fileName, content]) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(content)], fileName, { type: 'image/png' }));
        const target = document.querySelector('dialog form') ?? document.querySelector('main');
        target?.dispatchEvent(
          type === 'drop'
            ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      },
      [event, name, bytes] as const,
    );
  };
  await hand('drop', 'dropped.png');
  const create = dialog(page, 'Create Product');
  await expect(create.getByText('dropped.png')).toBeVisible();
  await hand('paste', 'pasted.png');
  await expect(create.getByText('pasted.png')).toBeVisible();
  await hand('drop', 'again.png');
  await expect(create.getByText('again.png')).toBeVisible();

  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(create.getByText('again.png')).toBeVisible();
  await create.getByRole('button', { name: 'Close dialog' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(create).toBeHidden();
  await page.getByRole('button', { name: 'Create Product' }).click();
  await page.keyboard.press('Escape');
  await expect(create).toBeHidden();
});

test('editing changes all but the picture; what is blank is sent as null', async ({ desk }) => {
  const { manager, open, stored } = await openCatalogue(desk);
  const { id: folder_id } = await buildFolder(manager, 'Wallpapers');
  await buildProduct(manager, { title: 'Sunset', description: 'By the sea', folder_id });
  const page = await open();
  await card(page, 'Sunset').getByRole('button', { name: 'Sunset', exact: true }).click();
  const edit = dialog(page, 'Edit Product');
  await expect(edit.getByText('The image can’t be changed.')).toBeVisible();
  await expect(edit.locator('input[type=file]')).toHaveCount(0);
  await edit.getByLabel('Title').fill(' ');
  await edit.getByLabel('Price').fill('');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(edit.getByRole('alert')).toHaveText([
    'Title is required',
    'Please enter a valid price',
  ]);
  await edit.getByLabel('Title').fill('Dusk');
  await edit.getByLabel('Price').fill('7');
  await edit.getByLabel('Description').fill(' ');
  await edit.getByLabel('Folder').selectOption('No folder');
  await page.route('**/api/products/*', (route) => route.abort());
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(edit.getByRole('alert')).toHaveText('Failed to update product');
  await page.unroute('**/api/products/*');
  const request = page.waitForRequest((sent) => sent.method() === 'PATCH');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  const change = { title: 'Dusk', description: null, price: 7, folder_id: null };
  expect((await request).postDataJSON()).toEqual(change);
  await expect(edit).toBeHidden();
  await expect(card(page, 'Dusk')).toContainText('$7.00');
  expect(await stored()).toMatchObject([change]);

  await choose(page, 'Dusk', 'Edit');
  await edit.getByLabel('Title').fill('Other');
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('alertdialog', { name: 'Discard changes?' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await expect(edit).toBeHidden();
  await expect(card(page, 'Dusk')).toBeVisible();
});

test('a card that is dragged onto a folder moves there, from 8 px on, and back by undo', async ({
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
  await expect(card(page, 'Sunset')).toContainText('Wallpapers');
  await expect(dialog(page, 'Edit Product')).toHaveCount(0);
  await expect(page.getByText('Moved “Sunset” to “Wallpapers”')).toBeVisible();
  expect(await stored()).toMatchObject([{ folder_id: folder.id }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'Sunset')).not.toContainText('Wallpapers');
  await expect.poll(stored).toMatchObject([{ folder_id: null }]);
});

test('a move that fails goes back and says so', async ({ desk }) => {
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
  expect(await stored()).toMatchObject([{ folder_id: folder.id }]);
});

test('without a mouse a product is moved, opened and put out of sale by its menu', async ({
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
  const move = dialog(page, 'Move to folder');
  await expect(move.getByRole('radio', { name: /^No folder/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(move).toBeHidden();
  await expect(menu).toBeFocused();
  await expect(card(page, 'Sunset')).toContainText('Wallpapers');
  expect(await stored()).toMatchObject([{ folder_id: folder.id }]);
  await choose(page, 'Sunset', 'Deactivate');
  await expect(card(page, 'Sunset')).toContainText('Inactive');
  await expect.poll(stored).toMatchObject([{ is_active: false }]);
  await choose(page, 'Sunset', 'Activate');
  await expect(card(page, 'Sunset')).not.toContainText('Inactive');
  await expect.poll(stored).toMatchObject([{ is_active: true }]);
});

test('a product is deleted after a question; one that fails to go stays', async ({ desk }) => {
  const { manager, open, stored } = await openCatalogue(desk);
  await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  await choose(page, 'Sunset', 'Delete');
  const question = page.getByRole('alertdialog', { name: 'Delete product' });
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
  expect(await stored()).toEqual([]);
});

test('deleting a product takes nothing away from a fan who bought it', async ({ desk }) => {
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

test('folders are made, renamed and deleted; their products stay', async ({ desk }) => {
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
  await expect(manage.getByRole('alert')).toHaveText('A folder with this name exists already');
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
  const question = page.getByRole('alertdialog', { name: 'Delete folder' });
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
  expect(await stored()).toMatchObject([{ title: 'Sunset', folder_id: null }]);
});

test('the catalogue is searched and sorted, within a folder and beyond', async ({ desk }) => {
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
  const search = page.getByLabel('Search products');
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
  await page.getByRole('button', { name: 'Clear Search', exact: true }).click();
  await expect(cards(page)).toHaveCount(3);
});

test('what can’t be fetched says so, and is tried again', async ({ desk }) => {
  const { manager, open } = await openCatalogue(desk, {
    prepare: (page) => page.route(/\/api\/(products|folders)$/, (route) => route.abort()),
  });
  await buildProduct(manager, { title: 'Sunset' });
  await buildFolder(manager, 'Posters');
  const page = await open();
  await expect(page.getByText('Loading products...')).toBeVisible();
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

test('what a colleague changed shows when the page is looked at again', async ({ desk }) => {
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

test('whoever may not manage is told so, and taken to the inbox', async ({ desk }) => {
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

test('who is demoted while the page is open is denied at the next change', async ({ desk }) => {
  const { manager, open } = await openCatalogue(desk);
  await buildProduct(manager, { title: 'Sunset' });
  const page = await open();
  await expect(card(page, 'Sunset')).toBeVisible();
  await desk.db.kysely
    .updateTable('admins')
    .set({ role: 'support' })
    .where('id', '=', manager.admin.id)
    .execute();
  await choose(page, 'Sunset', 'Deactivate');
  await expect(page.getByText('You do not have permission to access products.')).toBeVisible();
});

test('the Send Product dialog leads here', async ({ desk }) => {
  const { manager } = await openCatalogue(desk);
  const { id } = await buildConversation(desk);
  const page = await desk.open(manager, { path: `/inbox/${id}` });
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Send Product' }).click();
  await page.getByRole('link', { name: 'Go to Products Page' }).click();
  await expect(page).toHaveURL(/\/products$/);
  await expect(page.getByText('No products yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Console' })).toHaveAttribute(
    'href',
    '/console',
  );
});

test('of a thousand products in a hundred folders only those in view are drawn', async ({
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
  await page.getByLabel('Search products').fill('product 998');
  await expect(cards(page)).toHaveText([/^Product 998/]);
  await folderLink(page, 'Folder 99').click();
  await expect(cards(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear Search', exact: true }).click();
  await expect(cards(page)).toHaveCount(9);
});
