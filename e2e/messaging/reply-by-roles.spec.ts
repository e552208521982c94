import { buildConversation } from '../../apps/server/test/factories.ts';
import { expect, test } from '../support/journey.ts';
import { thread } from '../support/screens.ts';

test('a reply is found, quoted, written and sent by roles and accessible names alone', async ({
  desk,
}) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire());
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('link', { name: /^Ana/ })
    .click();
  const log = page.getByRole('log', { name: 'Conversation with Ana' });
  const message = log.getByRole('article', { name: /^Ana, / });
  await message.focus();
  await message.getByRole('button', { name: 'Reply' }).click();
  const field = page.getByRole('textbox', { name: 'Reply as creator to Ana' });
  await expect(field).toBeFocused();
  await expect(page.getByRole('button', { name: 'Cancel Reply' })).toBeVisible();
  await field.fill('Hello back');
  await page.getByRole('button', { name: 'Send to Ana' }).click();
  await expect(log.getByRole('article').filter({ hasText: 'Hello back' })).toBeVisible();
  await expect(field).toHaveValue('');
  await expect(thread(page).getByRole('article')).toHaveCount(2);
  await page.getByRole('button', { name: 'Claim' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Claimed' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Claim', exact: true })).toBeVisible();
});
