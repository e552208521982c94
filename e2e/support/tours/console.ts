import { createPlatformKey, revokePlatformKey } from '@stagedoor/contract/platform-keys';
import { createFolder } from '@stagedoor/contract/products';
import { buildPicture } from '../../../apps/server/test/catalogue.ts';
import { buildAdmin } from '../../../apps/server/test/factories.ts';
import type { Desk } from '../journey.ts';
import { openShop } from '../shop.ts';
import type { Tour } from './stop.ts';

/** The console with its staff, its figures, its log and its platform. */
export async function atConsole(desk: Desk): Promise<Tour> {
  await openShop(desk);
  for (const role of ['support', 'moderator', 'manager'] as const) await buildAdmin(desk, { role });
  await buildAdmin(desk, { is_active: false, email: 'gone@staff.example', role: 'manager' });
  await buildAdmin(desk, { email: `${'long'.repeat(14)}@staff.example`, role: 'moderator' });
  const staff = await desk.hire({ role: 'creator', email: 'boss@staff.example' });
  await staff.client.call(createFolder, { body: { name: 'Summer', description: null } });
  await staff.client.call(createPlatformKey, { body: { name: 'Fan app' } });
  const { body } = await staff.client.call(createPlatformKey, { body: { name: 'Old site' } });
  await staff.client.call(revokePlatformKey, { params: { id: body.data.id } });
  return {
    staff,
    stops: [
      {
        name: 'the staff and the figures',
        path: '/console',
        reach: async (page) => {
          await page.getByText('gone@staff.example').waitFor();
          await page.getByRole('region', { name: 'Top products' }).waitFor();
        },
      },
      {
        name: 'what is wrong with what was typed',
        path: '/console',
        reach: async (page) => {
          await page.getByText('gone@staff.example').waitFor();
          const portrait = { mimeType: 'image/png', buffer: await buildPicture() };
          await page
            .locator('input[type=file]')
            .first()
            .setInputFiles({ name: 'portrait.png', ...portrait });
          await page.getByRole('button', { name: 'Add Admin' }).click();
          await page.route('**/permissions', (route) => route.abort());
          await page.getByRole('switch').first().click();
          await page.getByText('Failed to update permissions').waitFor();
          await page.unroute('**/permissions');
          await page.getByText('Email is required').waitFor();
        },
      },
      {
        name: 'an admin being edited',
        path: '/console',
        reach: async (page) => {
          await page.getByRole('button', { name: 'Edit boss@staff.example' }).click();
          await page.getByRole('list', { name: 'Suggested codenames' }).waitFor();
        },
      },
      {
        name: 'the figures as a table',
        path: '/console',
        reach: async (page) => {
          const sales = page.getByRole('button', { name: 'View sales' }).first();
          await sales.click();
          await page.getByRole('dialog', { name: 'Sales' }).getByRole('listitem').first().waitFor();
        },
      },
      {
        name: 'the log',
        path: '/console/audit',
        reach: (page) => page.getByText('created the folder “Summer”').waitFor(),
      },
      {
        name: 'the platform',
        path: '/console/platform',
        reach: async (page) => {
          await page.getByRole('button', { name: 'Show revoked keys (1)' }).click();
          await page.getByText('No address is set').waitFor();
        },
      },
      {
        name: 'a new key',
        path: '/console/platform',
        reach: async (page) => {
          await page.getByRole('button', { name: 'New key' }).click();
          await page.getByRole('button', { name: 'Make key' }).click();
          await page.getByText('Please enter a name').waitFor();
        },
      },
    ],
  };
}
