import type { Page } from '@playwright/test';
import { recordPurchase, recordRefund } from '@stagedoor/contract/platform/platform';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openLive } from '../support/conversation.ts';
import { fanLink } from '../support/fan-client.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { holdCalls, SEND_AND_MESSAGES } from '../support/network.ts';
import { bubble, openSendProduct } from '../support/screens.ts';

const cards = (page: Page) => bubble(page, 'Sunset Set');
const fanCards = (page: Page) =>
  page.getByRole('log').getByRole('article').filter({ hasText: 'Sunset Set' });

test('a product that the fan owns is sent again free and unlocked, and locks on both sides after a refund', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const product = await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const sale = saleOf(fan, await buildOffer(manager, id, [product], 9.99), 9.99);
  const fanPage = await desk.openSignedOut({
    ...PHONE,
    path: await fanLink(desk, fan.external_id),
  });
  await expect(fanCards(fanPage)).toBeVisible();
  const { page, way } = await openLive(desk, await desk.hire(), { path: `/inbox/${id}` });
  await expect(cards(page)).toBeVisible();

  const dialog = await openSendProduct(page);
  await dialog.getByRole('radio', { name: /^Sunset Set/ }).check();
  await expect(dialog.getByRole('button', { name: 'Send for $9.99' })).toBeVisible();
  // The open dialog updates when the fan buys the product.
  await desk.platform.call(recordPurchase, { body: sale });
  await expect(fanCards(fanPage).getByText('Unlocked').first()).toBeVisible();
  await expect(dialog.getByRole('radio', { name: /^Sunset Set.*Purchased$/ })).toBeChecked();
  const again = dialog.getByRole('button', { name: 'Send Again, Unlocked', exact: true });
  await expect(again).toBeEnabled();
  await expect(dialog.getByLabel('Price in US dollars')).toHaveCount(0);
  expect(await accessibilityIssues(page)).toEqual([]);
  const letGoLive = way.hold();
  const letGoCalls = await holdCalls(page, SEND_AND_MESSAGES);
  await again.click();
  const resent = cards(page).last();
  const isOpen = async () => {
    await expect(cards(page)).toHaveCount(2);
    await expect(resent.getByText('Purchased')).toBeVisible();
    await expect(resent.getByRole('img', { name: 'Locked' })).toHaveCount(0);
    await expect(resent).not.toContainText('$');
  };
  // The card is unlocked before and after the server confirms the message.
  await isOpen();
  await expect(resent.getByRole('time')).toHaveCount(0);
  letGoCalls();
  letGoLive();
  await expect(resent.getByRole('time')).toBeVisible();
  await isOpen();
  await page.reload();
  await isOpen();

  const received = fanCards(fanPage).last();
  await expect(fanCards(fanPage)).toHaveCount(2);
  await expect(received.getByText('Unlocked')).toBeVisible();
  await received.getByRole('button', { name: 'Sunset Set' }).click();
  await expect(fanPage.getByRole('dialog')).toBeVisible();
  await fanPage.keyboard.press('Escape');

  const { payment_reference } = sale;
  await desk.platform.call(recordRefund, { body: { payment_reference } });
  await expect(resent.getByRole('img', { name: 'Locked' })).toBeVisible();
  await expect(resent.getByText('Purchased')).toHaveCount(0);
  await expect(received.getByRole('img', { name: 'Locked' })).toBeVisible();
  await expect(received).toContainText('Your payment was refunded, so this is locked again.');
  await expect(received.getByRole('button', { name: /Unlock for/ })).toHaveCount(0);
  // The original offer can be bought again.
  await expect(
    fanCards(fanPage).first().getByRole('button', { name: 'Unlock for $9.99' }),
  ).toBeVisible();
});
