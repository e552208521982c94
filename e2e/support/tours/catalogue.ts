import { updateProduct } from '@stagedoor/contract/products';
import { buildFolder, buildProduct } from '../../../apps/server/test/catalogue.ts';
import { choose, dialog, folderLink, pictureFile } from '../catalogue-page.ts';
import type { Desk } from '../journey.ts';
import type { Tour } from './stop.ts';

const LONG = 'An endless title, which no card has room for';

/** The products page with its dialogs. */
export async function atCatalogue(desk: Desk): Promise<Tour> {
  const staff = await desk.hire({ role: 'manager' });
  const { id: folder_id } = await buildFolder(staff, 'A folder with a long name '.repeat(4));
  await buildFolder(staff, 'Empty');
  const { id } = await buildProduct(staff, { title: LONG, folder_id });
  await buildProduct(staff, { title: 'Sunset' });
  await staff.client.call(updateProduct, { params: { id }, body: { is_active: false } });
  const path = '/products';
  return {
    staff,
    stops: [
      { name: 'the products', path, reach: (page) => page.getByText(LONG).first().waitFor() },
      {
        name: 'an empty folder',
        path,
        reach: async (page) => {
          await folderLink(page, 'Empty').click();
          await page.getByText('No products in “Empty”').waitFor();
        },
      },
      {
        name: 'a product being moved',
        path,
        reach: async (page) => {
          await choose(page, 'Sunset', 'Move to folder');
          await dialog(page, 'Move to folder').waitFor();
        },
      },
      {
        name: 'a product being made',
        path,
        reach: async (page) => {
          await page.getByRole('button', { name: 'Create Product' }).click();
          const create = dialog(page, 'Create Product');
          await create.getByRole('button', { name: 'Create Product' }).click();
          await create.getByLabel('Image').setInputFiles(await pictureFile());
          await create.getByText('Once bought').waitFor();
        },
      },
      {
        name: 'a product being edited',
        path,
        reach: async (page) => {
          await choose(page, LONG, 'Edit');
          await dialog(page, 'Edit Product').waitFor();
        },
      },
      {
        name: 'the folders',
        path,
        reach: async (page) => {
          await page.getByRole('button', { name: 'Manage Folders' }).click();
          await page.getByRole('button', { name: 'Rename Empty' }).click();
        },
      },
    ],
  };
}
