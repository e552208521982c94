import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { expect, test } from '../support/journey.ts';
import { failing } from '../support/network.ts';
import { button } from '../support/screens.ts';

const LIBRARY = /\/api\/messages\/admin\/global-tags/;

test('a failed change leaves the tag library unchanged and can be retried in place', async ({
  desk,
}) => {
  const staff = await desk.hire();
  await staff.client.call(createGlobalTag, { body: { label: 'VIP', color: '#FF5733' } });
  const page = await desk.open(staff);
  const fail = () => page.route(LIBRARY, (route) => route.fulfill({ status: 500, json: {} }));
  const restore = () => page.unroute(LIBRARY);
  await button(page, 'Tags').click();
  const library = page.getByRole('dialog', { name: 'Global Tags Library' });
  const tags = library.getByRole('listitem');
  await expect(tags).toHaveText(['VIP']);

  await fail();
  await library.getByRole('button', { name: 'Create New Global Tag' }).click();
  await library.getByLabel('Label').fill('Whale');
  await button(library, 'Create').click();
  const again = (text: string) => library.getByRole('button', { name: text });
  await expect(again('Failed to create global tag')).toBeVisible();
  await expect(library.getByLabel('Label')).toHaveValue('Whale');
  await restore();
  await again('Failed to create global tag').click();
  await expect(tags).toHaveText(['VIP', 'Whale']);
  // A live update may show the tag before the reply closes the form.
  await expect(library.getByLabel('Label')).toHaveCount(0);

  await fail();
  await library.getByRole('button', { name: 'Edit VIP' }).click();
  await library.getByLabel('Label').fill('Regular');
  await library.getByRole('button', { name: 'Save' }).click();
  await expect(again('Failed to update global tag')).toBeVisible();
  await restore();
  await again('Failed to update global tag').click();
  await expect(tags).toHaveText(['Regular', 'Whale']);

  await fail();
  await library.getByRole('button', { name: 'Delete Whale' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(again('Failed to delete global tag')).toBeVisible();
  await expect(tags).toHaveCount(2);
  await restore();
  await again('Failed to delete global tag').click();
  await expect(tags).toHaveText(['Regular']);
});

test('a library that fails to load shows an error, in the library and in a fan’s tags', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: failing(LIBRARY, 500),
  });
  await button(page, 'Tags').click();
  const library = page.getByRole('dialog', { name: 'Global Tags Library' });
  const alert = { hasText: 'Failed to fetch global tags' };
  await expect(library.getByRole('alert').filter(alert)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Manage Tags' }).click();
  const manage = page.getByRole('dialog', { name: 'Manage Tags' });
  await expect(manage.getByRole('alert').filter(alert)).toBeVisible();
  await page.unroute(LIBRARY);
  await manage.getByRole('button', { name: 'Retry' }).click();
  await expect(manage.getByRole('alert')).toHaveCount(0);
});
