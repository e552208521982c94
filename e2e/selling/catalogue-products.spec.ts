import { updateProduct } from '@stagedoor/contract/selling/products';
import { buildFolder, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import {
  card,
  choose,
  dialog,
  folderLink,
  openCatalogue,
  pictureFile,
} from '../support/catalogue-page.ts';
import { expect, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';

test('the first product is created from the empty page, with all its details', async ({ desk }) => {
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
  await expect(create.getByText('Locked, as fans first see it')).toBeVisible();
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
  await expect
    .poll(stored)
    .toMatchObject([
      { title: 'Sunset', description: 'By the sea', price: 12.5, folder_id: folder.id },
    ]);
});

test('a new product is validated field by field before anything is sent', async ({ desk }) => {
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
  await image.setInputFiles(await pictureFile());
  await image.setInputFiles({ name: 'a.mp4', mimeType: 'video/mp4', buffer: text });
  await expect(create.getByText('Please select an image file')).toBeVisible();
  await expect(create.getByRole('list', { name: 'Files' })).toHaveCount(0);
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

test('a failed creation keeps the input, and says why', async ({ desk }) => {
  const { open, stored } = await openCatalogue(desk);
  const page = await open();
  await page.getByRole('button', { name: 'Create Product' }).click();
  const create = dialog(page, 'Create Product');
  const submit = create.getByRole('button', { name: 'Create Product' });
  // Only the name and type say that this is an image. The server detects that the content isn't.
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
  await expect.poll(stored).toHaveLength(1);
});

test('a picture can also be dropped on the page or pasted; closing asks before input is lost', async ({
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
  await create.getByRole('button', { name: 'Close Dialog' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(create).toBeHidden();
  await page.getByRole('button', { name: 'Create Product' }).click();
  await page.keyboard.press('Escape');
  await expect(create).toBeHidden();
});

test('editing changes everything but the picture, and only what was edited; blank fields are sent as null', async ({
  desk,
}) => {
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
  await expect.poll(stored).toMatchObject([change]);

  // A save keeps what a teammate has changed in the meantime.
  await choose(page, 'Dusk', 'Edit');
  const [product] = await stored();
  if (product === undefined) throw new Error('there is no product');
  const theirs = { params: { id: product.id }, body: { price: 8, folder_id } };
  await manager.client.call(updateProduct, theirs);
  await edit.getByLabel('Description').fill('At night');
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await expect(edit).toBeHidden();
  await expect(card(page, 'Dusk')).toContainText('$8.00');
  const both = { title: 'Dusk', description: 'At night', price: 8, folder_id };
  await expect.poll(stored).toMatchObject([both]);

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

test('a late save of a product does not close the next form', async ({ desk }) => {
  const { manager, open } = await openCatalogue(desk);
  for (const title of ['Sunset', 'Harbor']) await buildProduct(manager, { title });
  const page = await open();
  await choose(page, 'Sunset', 'Edit');
  const edit = dialog(page, 'Edit Product');
  await edit.getByLabel('Title').fill('Dusk');
  const save = await holdCalls(page, /\/api\/products\/[\w-]{36}$/);
  await edit.getByRole('button', { name: 'Save Changes' }).click();
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await choose(page, 'Harbor', 'Edit');
  await edit.getByLabel('Description').fill('At night');
  save();
  await expect(page.getByRole('article', { name: 'Dusk', includeHidden: true })).toBeVisible();
  await expect(edit.getByLabel('Description')).toHaveValue('At night');
});
