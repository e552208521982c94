import { expect, type Page } from '@playwright/test';
import { createGlobalTag } from '@stagedoor/contract/tags';
import { furnishInbox } from '../furnish.ts';
import type { Desk } from '../journey.ts';
import { row, searchBox, tab } from '../screens.ts';
import type { Stop, Tour } from './stop.ts';

/** A stop that a press on a button of the inbox leads to. */
function press(name: string, shows: (page: Page) => Promise<unknown>): Stop {
  return {
    name,
    path: '/inbox',
    reach: async (page) => {
      await page.getByRole('button', { name, exact: true }).click();
      await shows(page);
    },
  };
}

async function settings(page: Page, entry?: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  if (entry === undefined) return;
  await page.getByRole('button', { name: `${entry}...` }).click();
  await page.getByRole('dialog', { name: entry }).getByRole('button').first().waitFor();
}

/** The list of conversations and what its header leads to. */
export async function atInbox(desk: Desk): Promise<Tour> {
  await furnishInbox(desk);
  const staff = await desk.hire({ role: 'manager' });
  for (const color of ['#FF5733', '#000000']) {
    await staff.client.call(createGlobalTag, { body: { label: `Tag ${color}`, color } });
  }
  return {
    staff,
    stops: [
      {
        name: 'what is unread',
        path: '/inbox',
        reach: (page) => row(page, 'Ana').waitFor(),
      },
      {
        name: 'all conversations',
        path: '/inbox',
        reach: async (page) => {
          await tab(page, 'All').click();
          await row(page, 'Unnamed fan').waitFor();
        },
      },
      {
        name: 'an empty tab',
        path: '/inbox',
        reach: async (page) => {
          await tab(page, 'Mine').click();
          await page.getByText('No conversations yet').waitFor();
        },
      },
      {
        name: 'a search',
        path: '/inbox',
        reach: async (page) => {
          await searchBox(page).fill('hello');
          await page.getByText(/results? in all conversations/).waitFor();
        },
      },
      {
        name: 'a search that finds nothing',
        path: '/inbox',
        reach: async (page) => {
          await searchBox(page).fill('nothing like it');
          await page.getByText('No conversations found').waitFor();
        },
      },
      {
        name: 'an inbox that does not load',
        path: '/inbox',
        reach: async (page) => {
          await page.route(/admin\/search/, (route) => route.fulfill({ status: 422, json: {} }));
          await searchBox(page).fill('hello');
          await expect(page.getByRole('alert').filter({ hasText: 'Failed' })).toBeVisible();
          await page.unroute(/admin\/search/);
        },
      },
      { name: 'the settings', path: '/inbox', reach: (page) => settings(page) },
      { name: 'the passkeys', path: '/inbox', reach: (page) => settings(page, 'Passkeys') },
      { name: 'the sessions', path: '/inbox', reach: (page) => settings(page, 'Sessions') },
      press('Filter by tag', (page) =>
        page.getByRole('dialog', { name: 'Filter by tag' }).getByRole('listitem').first().waitFor(),
      ),
      press('Tags', async (page) => {
        await page.getByRole('button', { name: 'Create New Global Tag' }).click();
        await page.getByLabel('Label').fill('New');
      }),
      press('Invite Users', async (page) => {
        await page.getByRole('button', { name: 'Send Invites' }).click();
        await page.getByRole('dialog').getByRole('alert').waitFor();
      }),
    ],
  };
}
