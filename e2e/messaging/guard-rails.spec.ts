import type { Page } from '@playwright/test';
import {
  type GuardRails,
  getGuardRails,
  updateGuardRails,
} from '@stagedoor/contract/messaging/guard-rails';
import { buildConversation, type Staff } from '../../apps/server/test/factories.ts';
import { buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { bubble, composer, reply } from '../support/screens.ts';

const card = (page: Page) => page.getByRole('region', { name: 'Guard Rails' });

async function set({ client }: Staff, part: Partial<Omit<GuardRails, 'version'>>) {
  const { version } = (await client.call(getGuardRails)).body.data;
  const none = { banned_words: [], price_min: null, price_max: null };
  return client.call(updateGuardRails, { body: { ...none, ...part, version } });
}

// Reset through the API, because the server's cache outlives the journey's rows.
test.afterEach(async ({ desk }) => {
  await set(await desk.hire({ role: 'manager' }), {});
});

test('a banned word is marked while typing and blocks sending by key and button; the text stays, and is sent once changed', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  await set(manager, { banned_words: ['hotel', 'cash app'] });
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await reply(page, 'All hotels are full');
  await expect(bubble(page, 'All hotels are full')).toBeVisible();
  const text = 'The HÔTEL takes cash-app';
  await composer(page).fill(text);
  await expect(page.getByRole('alert')).toHaveText('Not allowed in messages: hotel, cash app');
  await expect(page.locator('mark')).toHaveText(['HÔTEL', 'cash-app']);
  await expect(composer(page)).toHaveAttribute('aria-invalid', 'true');
  for (const key of ['Enter', 'Control+Enter']) {
    await composer(page).press(key);
    await expect(composer(page)).toHaveValue(text);
  }
  await page.getByRole('button', { name: 'Send to Ana' }).click();
  await expect(composer(page)).toHaveValue(text);
  // The error stays while a note is being written.
  const kind = page.getByRole('group', { name: 'Message type' });
  await kind.getByRole('radio', { name: 'Note' }).check();
  await expect(composer(page)).toBeHidden();
  await expect(page.getByRole('alert')).toHaveText('Not allowed in messages: hotel, cash app');
  await kind.getByRole('radio', { name: 'Reply' }).check();
  await page.getByRole('button', { name: 'Send to Ana' }).click();
  // The first banned word is selected, so that typing replaces it.
  await page.keyboard.type('place');
  await expect(composer(page)).toHaveValue('The place takes cash-app');
  await composer(page).fill('The place takes cards');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(bubble(page, 'The place takes cards')).toBeVisible();
});

test('guard rails set by managers apply at once to those who are writing', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const { id } = await buildConversation(desk);
  const writer = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await composer(writer).fill('Which motel?');
  const page = await desk.open(manager, { path: '/console/rules' });
  const words = card(page).getByLabel('Words and phrases, one per line');
  await words.fill('motel\nMOTEL\ncash app\n');
  await card(page).getByRole('button', { name: 'Save Guard Rails' }).click();
  await expect(card(page).getByText('Saved', { exact: true })).toBeVisible();
  await expect(words).toHaveValue('motel\ncash app');
  await expect(writer.getByRole('alert')).toContainText('motel');
  await page.goto('/console/audit');
  await expect(
    page.getByText('changed which words and prices are allowed in messages'),
  ).toBeVisible();
});

test('invalid values are explained at their field, and a teammate’s save overwrites no input', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/console/rules' });
  const words = card(page).getByLabel('Words and phrases, one per line');
  const save = card(page).getByRole('button', { name: 'Save Guard Rails' });
  await card(page).getByLabel('Minimum price').fill('20');
  await card(page).getByLabel('Maximum price').fill('10');
  await save.click();
  await expect(card(page).getByText('above the minimum')).toBeVisible();
  await card(page).getByLabel('Maximum price').fill('30');
  await words.fill('!!');
  await save.click();
  await expect(card(page).getByText('Remove “!!”')).toBeVisible();
  await words.fill('mine');
  await set(manager, { banned_words: ['theirs'] });
  await expect(card(page).getByText('A teammate has saved this')).toBeVisible();
  await expect(words).toHaveValue('mine');
  await card(page).getByRole('button', { name: 'Use Theirs' }).click();
  await expect(words).toHaveValue('theirs');
});

test('guard rails are locked while they are being saved', async ({ desk }) => {
  const page = await desk.open(await desk.hire({ role: 'manager' }), { path: '/console/rules' });
  const words = card(page).getByLabel('Words and phrases, one per line');
  await words.fill('motel');
  const save = await holdCalls(page, /\/guard-rails$/);
  await card(page).getByRole('button', { name: 'Save Guard Rails' }).click();
  for (const label of ['Words and phrases', 'Minimum price', 'Maximum price'])
    await expect(card(page).getByLabel(label)).not.toBeEditable();
  save();
  await expect(card(page).getByText('Saved', { exact: true })).toBeVisible();
  await expect(words).toBeEditable();
});

test('an offer outside the limits is refused at the price field, before it is sent', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  await set(manager, { price_min: 15, price_max: 50 });
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await composer(page).press('Escape');
  await page.keyboard.press('p');
  const offer = page.getByRole('dialog', { name: 'Send Product' });
  await offer.getByRole('radio', { name: /Sunset Set/ }).check();
  await expect(offer.getByRole('alert')).toHaveText('Enter a price between $15.00 and $50.00');
  await expect(offer.getByRole('button', { name: /Send for/ })).toBeDisabled();
  await offer.getByLabel('Price in US dollars').fill('15');
  await offer.getByRole('button', { name: 'Send for $15.00' }).click();
  await expect(offer).toHaveCount(0);
  await expect(bubble(page, 'Sunset Set')).toBeVisible();
});

for (const size of [DESKTOP, PHONE]) {
  test(`guard rails have no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const manager = await desk.hire({ role: 'manager' });
    await set(manager, { banned_words: ['hotel'] });
    const { id } = await buildConversation(desk);
    const page = await desk.open(manager, { ...size, path: `/inbox/${id}` });
    await composer(page).fill('Which hotel?');
    await expect(page.locator('mark')).toHaveText('hotel');
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.goto('/console/rules');
    await card(page).getByLabel('Maximum price').fill('-1');
    await card(page).getByLabel('Words and phrases, one per line').fill('!');
    await card(page).getByRole('button', { name: 'Save Guard Rails' }).click();
    await expect(card(page).getByRole('alert')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
