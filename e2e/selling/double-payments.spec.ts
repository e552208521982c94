import { buildConversation } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { payTwice } from '../../apps/server/test/worlds/double-payment.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { expect, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { button } from '../support/screens.ts';
import { analytics } from '../support/shop.ts';

test('a manager sees double payments, and refunds the extra one', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const product = await buildProduct(manager, { title: 'Sunset Set' });
  const { id, fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await payTwice(
    desk,
    saleOf(fan, await buildOffer(manager, id, [product], 9.99), 9.99),
    saleOf(fan, await buildOffer(manager, id, [product], 12.5), 12.5),
  );
  const page = await desk.open(manager, { path: '/console' });
  await button(analytics(page), 'View Sales').click();
  const dialog = page.getByRole('dialog', { name: 'Sales' });
  const double = dialog.getByRole('region', { name: 'Double Payments' });
  await expect(double).toContainText('These fans paid for a product that they already owned.');
  await expect(double.getByRole('listitem')).toHaveText([/^Ana bought Sunset Set.*\$9\.99Refund$/]);
  expect(await accessibilityIssues(page)).toEqual([]);
  await double.getByRole('button', { name: 'Refund $9.99 to Ana' }).click();
  const question = page.getByRole('alertdialog', { name: 'Refund $9.99 to Ana?' });
  await expect(question).toContainText('The platform has to pay the money back.');
  await button(question, 'Refund').click();
  await expect(double.getByRole('listitem')).toHaveCount(0);
  await expect(double.getByRole('status')).toHaveText(
    'Refund recorded. The platform has to pay the money back.',
  );
  await expect(dialog.getByRole('listitem')).toHaveText([
    /^Ana bought Sunset Set.*\$12\.50$/,
    /^Ana bought Sunset Set.*\$9\.99Refunded$/,
  ]);
  await page.goto('/console/audit');
  await expect(page.getByText('recorded the refund of a payment for “Sunset Set”')).toBeVisible();
});

test('a refund that is confirmed while another is being saved is saved too', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const product = await buildProduct(manager, { title: 'Sunset Set' });
  for (const first_name of ['Ana', 'Ben']) {
    const { id, fan } = await buildConversation(desk, { fan: { first_name } });
    const sale = async () => saleOf(fan, await buildOffer(manager, id, [product], 9.99), 9.99);
    await payTwice(desk, await sale(), await sale());
  }
  const page = await desk.open(manager, { path: '/console' });
  await button(analytics(page), 'View Sales').click();
  const double = page.getByRole('region', { name: 'Double Payments' });
  const letGo = await holdCalls(page, /\/refund$/);
  for (const fan of ['Ana', 'Ben']) {
    await double.getByRole('button', { name: `Refund $9.99 to ${fan}` }).click();
    await button(page.getByRole('alertdialog'), 'Refund').click();
  }
  await expect(double.locator('[aria-busy=true]')).toHaveCount(2);
  letGo();
  await expect(double.getByRole('listitem')).toHaveCount(0);
});
