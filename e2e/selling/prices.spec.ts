import type { Page } from '@playwright/test';
import { getGuardRails, updateGuardRails } from '@stagedoor/contract/messaging/guard-rails';
import { listTemplates } from '@stagedoor/contract/messaging/templates';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { until } from '../../apps/server/test/until.ts';
import { buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { choose } from '../support/catalogue-page.ts';
import { seenBy } from '../support/conversation.ts';
import { type Desk, expect, test } from '../support/journey.ts';
import { LANGUAGES, speaking } from '../support/languages.ts';
import { bubble, thread } from '../support/screens.ts';

const offer = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('radio') });

async function openOffer(desk: Desk, language = 'en', usual = '4.99') {
  const manager = await desk.hire({ role: 'manager' });
  await buildProduct(manager, { title: 'Sunset Set', price: usual });
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: speaking(language),
  });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await thread(page).getByRole('article').first().focus();
  await page.keyboard.press('p');
  await offer(page).getByRole('radio').check();
  return { page, fan, price: offer(page).locator('[inputmode="decimal"]') };
}

for (const language of ['en', ...LANGUAGES]) {
  test(`a price with a comma is read correctly: ${language}`, async ({ desk }) => {
    const { page, fan, price } = await openOffer(desk, language);
    await price.fill('');
    await price.pressSequentially('7,50');
    await expect(price).toHaveValue('7,50');
    await price.press('Enter');
    await expect(offer(page)).toBeHidden();
    await expect(bubble(page, 'Sunset Set')).toContainText(/7[.,]50/);
    await expect(bubble(page, 'Sunset Set').getByRole('time')).toBeVisible();
    const [sent] = await seenBy(desk, fan.external_id);
    expect(sent?.attachments[0]?.price).toBe(7.5);
  });
}

test('products, templates and guard rails accept prices with a comma, too', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  const page = await desk.open(manager, { path: '/products' });
  await choose(page, 'Sunset Set', 'Edit');
  const product = page.getByRole('dialog');
  await product.getByLabel('Price (USD)').fill('');
  await product.getByLabel('Price (USD)').pressSequentially('4,99');
  await product.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('article', { name: 'Sunset Set' })).toContainText('$4.99');

  await page.goto('/inbox');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Templates...' }).click();
  await page.getByRole('button', { name: 'New Template' }).first().click();
  const template = page.getByRole('dialog', { name: 'New Template' });
  await template.getByLabel('Name').fill('Offer');
  await template.getByLabel('Product').selectOption('Sunset Set');
  await template.getByLabel('Price in US dollars').fill('');
  await template.getByLabel('Price in US dollars').pressSequentially('12,50');
  await template.getByRole('button', { name: 'Save' }).click();
  await expect(template).toBeHidden();
  const [kept] = (await manager.client.call(listTemplates)).body.data;
  expect(kept?.product?.price).toBe(12.5);

  await page.goto('/console/rules');
  const rails = page.getByRole('region', { name: 'Guard Rails' });
  await rails
    .getByLabel(/price in US dollars/)
    .first()
    .pressSequentially('1,50');
  await rails.getByRole('button', { name: 'Save Guard Rails' }).click();
  const set = await until('the guard rails are saved', async () => {
    const { data } = (await manager.client.call(getGuardRails)).body;
    return data.price_min === null ? undefined : data;
  });
  expect(set.price_min).toBe(1.5);
  // Reset through the API, because the server's cache outlives the journey's rows.
  const none = { banned_words: [], price_min: null, price_max: null };
  await manager.client.call(updateGuardRails, { body: { ...none, version: set.version } });
});

test('a price above three times the product’s own needs confirmation before it is sent', async ({
  desk,
}) => {
  const { page, price } = await openOffer(desk);
  const question = page.getByRole('alertdialog', { name: 'Send for $750.00? Usually $4.99' });
  await price.fill('750');
  await price.press('Enter');
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(price).toBeFocused();
  await expect(thread(page).getByRole('article')).toHaveCount(1);
  await price.press('Enter');
  await question.getByRole('button', { name: 'Send for $750.00' }).click();
  await expect(offer(page)).toBeHidden();
  await expect(bubble(page, 'Sunset Set')).toContainText('$750.00');
});

test('three times the product’s own price needs no confirmation', async ({ desk }) => {
  // In binary fractions, three times $4.35 is a little less than $13.05.
  const { page, price } = await openOffer(desk, 'en', '4.35');
  await price.fill('13.05');
  await price.press('Enter');
  await expect(offer(page)).toBeHidden();
  await expect(bubble(page, 'Sunset Set')).toContainText('$13.05');
});

test('Send Product’s button looks disabled at an invalid price, and says why when clicked', async ({
  desk,
}) => {
  const { page, price } = await openOffer(desk);
  const send = offer(page).locator('button[type="submit"]');
  await expect(send).not.toHaveAttribute('aria-disabled', 'true');
  await price.fill('');
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await send.click({ force: true });
  await expect(offer(page).getByRole('alert')).toHaveText('Please enter a valid price');
  await expect(price).toBeFocused();
});
