import type { Page } from '@playwright/test';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { updateProduct } from '@stagedoor/contract/selling/products';
import { buildConversation, unique } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openLive } from '../support/conversation.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { withoutLiveWay } from '../support/network.ts';
import { bubble, composer, openSendProduct, thread } from '../support/screens.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Send Product' });

test('without products the dialog says where to create them, and leads there', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: `/inbox/${id}` });
  await openSendProduct(page);
  await expect(dialog(page).getByText('No products available')).toBeVisible();
  await expect(
    dialog(page).getByText(
      'Create products in the Products page first, then you can send them in messages.',
    ),
  ).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Go to Products Page' }).click();
  await expect(page).toHaveURL(/\/products$/);
  await expect(page.getByText('No products yet')).toBeVisible();
  await page.getByRole('button', { name: 'Back to Console' }).click();
  await expect(page).toHaveURL(/\/console\b/);
});

test('a product is chosen by title, priced for this fan, and sent', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  await buildProduct(manager, { title: 'Backstage', price: '25' });
  const hidden = await buildProduct(manager, { title: 'Not for sale' });
  await manager.client.call(updateProduct, {
    params: { id: hidden.id },
    body: { is_active: false },
  });
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await composer(page).fill('A draft that stays');
  await thread(page).getByRole('article').first().focus();
  await page.keyboard.press('p');
  const radios = dialog(page).getByRole('radio');
  await expect(radios).toHaveCount(2);
  await expect(dialog(page).getByRole('button', { name: 'Select a Product' })).toBeDisabled();
  await dialog(page).getByPlaceholder('Search products...').fill('sunset');
  await expect(radios).toHaveCount(1);
  await radios.check();
  const price = dialog(page).getByLabel('Price in US dollars');
  await expect(price).toHaveValue('9.99');
  await expect(price).toHaveAttribute('step', '0.01');
  await expect(price).toHaveAttribute('min', '0.01');
  await price.fill('0');
  await expect(dialog(page).getByRole('alert')).toHaveText('Please enter a valid price');
  await price.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await price.fill('12.5');
  await expect(dialog(page).getByText('Sunset Set to Ana')).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Send for $12.50' }).click();
  await expect(dialog(page)).toBeHidden();
  const card = bubble(page, 'Sunset Set');
  await expect(card).toHaveCount(1);
  await expect(card).toContainText('$12.50');
  await expect(card.getByRole('time')).toBeVisible();
  await expect(card.getByRole('img', { name: 'Locked' })).toBeVisible();
  await expect(composer(page)).toHaveValue('A draft that stays');
  await page.getByRole('button', { name: 'View the full image of Sunset Set' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Sunset Set' }).getByRole('img', { name: 'Sunset Set' }),
  ).toBeVisible();
});

test('by keyboard the search leads to the products, and Enter chooses the first match', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  await buildProduct(manager, { title: 'Backstage', price: '25' });
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await thread(page).getByRole('article').first().focus();
  await page.keyboard.press('p');
  const search = dialog(page).getByPlaceholder('Search products...');
  await expect(search).toBeFocused();
  await search.press('ArrowDown');
  await expect(dialog(page).getByRole('radio').first()).toBeFocused();
  await search.fill('sunset');
  await page.keyboard.down('Enter');
  await expect(dialog(page).getByRole('radio', { name: /Sunset Set/ })).toBeChecked();
  const price = dialog(page).getByLabel('Price in US dollars');
  await expect(price).toBeFocused();
  // The repeats of a held key send nothing.
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(price).toHaveValue('9.99');
  await price.press('Enter');
  await expect(bubble(page, 'Sunset Set')).toContainText('$9.99');
});

test('products sent before or bought are marked, and a purchase shows at once', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const [sent, bought] = [
    await buildProduct(manager, { title: 'Sent' }),
    await buildProduct(manager, { title: 'Bought' }),
  ];
  await buildProduct(manager, { title: 'New' });
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildOffer(manager, id, [sent], 5);
  const offer = await buildOffer(manager, id, [bought], 7.5);
  // A purchase that the page only fetches is not announced.
  const { page } = await openLive(desk, await desk.hire(), { ...PHONE, path: `/messages/${id}` });
  const card = bubble(page, 'Bought');
  await expect(card).toContainText('$7.50');
  await expect(card.getByText('Purchased')).toBeHidden();
  const payment_reference = unique('payment');
  await desk.platform.call(recordPurchase, {
    body: {
      fan: fan.external_id,
      message_id: offer.id,
      attachment_id: offer.attachments[0]?.id ?? '',
      amount: 7.5,
      payment_reference,
    },
  });
  await expect(card.getByText('Purchased')).toBeVisible();
  await expect(thread(page).getByText('Unlocked Bought · $7.50')).toBeVisible();
  await expect(page.getByText('Ana unlocked Bought · $7.50')).toBeVisible();
  await expect(card.getByRole('img', { name: 'Locked' })).toBeHidden();
  expect(await accessibilityIssues(page)).toEqual([]);
  await openSendProduct(page);
  await expect(dialog(page).getByRole('radio', { name: /^Bought.*Purchased$/ })).toBeVisible();
  await expect(dialog(page).getByRole('radio', { name: /^Sent.*Sent before$/ })).toBeVisible();
  await expect(dialog(page).getByText('Purchased')).toHaveCount(1);
  await expect(dialog(page).getByText('Sent before')).toHaveCount(1);
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await desk.platform.call(recordRefund, { body: { payment_reference } });
  await expect(card.getByText('Purchased')).toBeHidden();
  await expect(thread(page).getByText('Unlocked Bought')).toBeHidden();
});

test('a failed product load shows an empty list with a retry', async ({ desk }) => {
  await buildProduct(await desk.hire({ role: 'manager' }), { title: 'Sunset Set' });
  const { id } = await buildConversation(desk);
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: withoutLiveWay,
  });
  await page.route(/\/api\/products/, (route) => route.abort());
  await openSendProduct(page);
  await expect(dialog(page).getByText('No products available')).toBeVisible();
  await page.unroute(/\/api\/products/);
  await dialog(page).getByRole('button', { name: 'Failed to fetch products. Retry' }).click();
  await expect(dialog(page).getByRole('radio')).toHaveCount(1);
});
