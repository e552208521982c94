import { expect, type Page } from '@playwright/test';
import { buildOffer, buildProduct } from '../../../apps/server/test/catalogue.ts';
import { setPrivilege } from '../conversation.ts';
import { choose, picture, strip } from '../files.ts';
import { furnishInbox } from '../furnish.ts';
import type { Desk } from '../journey.ts';
import { bubble, composer, reply, thread } from '../screens.ts';
import type { Stop, Tour } from './stop.ts';

/** A stop that a single key leads to. */
async function key(page: Page, name: string): Promise<void> {
  await thread(page).getByRole('article').last().focus();
  await page.keyboard.press(name);
}

/** A conversation with every kind of message, and all that can be opened around it. */
export async function atConversation(desk: Desk): Promise<Tour> {
  const { id } = await furnishInbox(desk);
  const staff = await desk.hire({ role: 'manager' });
  const product = await buildProduct(staff, { title: 'Sunset Set' });
  await buildProduct(staff, { title: 'Backstage' });
  await buildOffer(staff, id, [product], 9.99);
  const stop = (name: string, reach: Stop['reach']): Stop => ({
    name,
    path: `/inbox/${id}`,
    reach: async (page) => {
      await bubble(page, 'A quoted answer').waitFor();
      await reach(page);
    },
  });
  return {
    staff,
    stops: [
      stop('the thread', (page) => thread(page).getByText('Sunset Set').waitFor()),
      stop('an answer', async (page) => {
        await key(page, 'r');
        await composer(page).fill('A draft');
        await page.getByRole('button', { name: 'Cancel reply' }).waitFor();
      }),
      stop('the actions of a message', async (page) => {
        await key(page, 'Enter');
        await page.getByRole('group', { name: 'Reactions' }).waitFor();
      }),
      stop('the attach menu', async (page) => {
        await key(page, 'a');
        await page.getByRole('menuitem', { name: 'Photos' }).waitFor();
      }),
      stop('chosen files', async (page) => {
        await choose(page, 'Photos', [await picture('beach.png'), await picture('roof.png')]);
        await expect(strip(page)).toHaveCount(2);
        for (const name of ['beach.png', 'roof.png'])
          await page.getByRole('button', { name: `Remove ${name}` }).click();
        await choose(page, 'Photos', await picture('third.png'));
        await expect(strip(page)).toHaveCount(1);
      }),
      stop('a product to send', async (page) => {
        await key(page, 'p');
        await page.getByRole('radio').first().check();
        await page.getByRole('button', { name: /^Send for / }).waitFor();
      }),
      stop('the tags', async (page) => {
        await key(page, 't');
        await page.getByRole('tab', { name: 'Create Custom' }).waitFor();
      }),
      stop('a tag of their own', async (page) => {
        await key(page, 't');
        await page.getByRole('tab', { name: 'Create Custom' }).click();
        await page.getByLabel('Label').fill('New');
      }),
      stop('the notes', async (page) => {
        await key(page, 'n');
        await page.getByRole('button', { name: 'Edit' }).waitFor();
      }),
      stop('notes being written', async (page) => {
        await key(page, 'n');
        await page.getByRole('button', { name: 'Edit' }).click();
        await page.getByLabel('Location').waitFor();
      }),
      stop('a question', async (page) => {
        await key(page, 'n');
        await page.getByRole('button', { name: 'Edit' }).click();
        await page.getByLabel('Location').fill('Lisbon');
        await page.getByRole('button', { name: 'Close notes' }).click();
        await page.getByRole('alertdialog').waitFor();
      }),
      stop('a refused reply', async (page) => {
        await setPrivilege(desk, staff.admin.id, false);
        await reply(page, 'Please let me');
        await bubble(page, 'Please let me').getByRole('alert').waitFor();
        await setPrivilege(desk, staff.admin.id, true);
      }),
    ],
  };
}
