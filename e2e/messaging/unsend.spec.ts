import type { Page } from '@playwright/test';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import { unsendMessage } from '@stagedoor/contract/messaging/messages';
import { postFanRead } from '@stagedoor/contract/platform/platform';
import { buildReply } from '../../apps/server/test/factories.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { action, seenBy } from '../support/conversation.ts';
import { openFan, shown } from '../support/fan-client.ts';
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';
import { bubble, thread } from '../support/screens.ts';

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Unsend this message?' });
const confirm = (page: Page) => question(page).getByRole('button', { name: 'Unsend' }).click();
/** Options for a fan's page that can't mark messages as read, as if it were in the background. */
const unread = {
  serviceWorker: false,
  prepare: (page: Page) => page.route('**/api/fan/read', (route) => route.abort()),
};

test('staff unsend a message, and an open fan client and teammates’ consoles show it live', async ({
  desk,
}) => {
  const mango = await desk.hire({ codename: 'Mango' });
  const kiwi = await desk.hire({ codename: 'Kiwi' });
  const { id, fan, page: phone } = await openFan(desk, ['Hello there'], unread);
  await mango.client.call(markRead, { params: { id } });
  await buildReply(mango, id, { content: 'Stays' });
  const slip = await buildReply(mango, id, { content: 'A slip of the tongue' });
  await buildReply(mango, id, { content: 'Quoting', reply_to_message_id: slip.id });
  await expect(shown(phone, 'Quoting')).toContainText('A slip of the tongue');
  const [one, two] = [
    await desk.open(mango, { path: `/inbox/${id}`, ...DESKTOP }),
    await desk.open(kiwi, { path: `/inbox/${id}`, ...DESKTOP }),
  ];
  // Only the author and managers can unsend a message.
  await bubble(two, 'Stays').hover();
  await expect(action(two, 'Stays', 'Reply')).toBeVisible();
  await expect(action(two, 'Stays', 'Unsend')).toHaveCount(0);

  await bubble(one, 'slip').first().hover();
  await bubble(one, 'slip').first().getByRole('button', { name: 'Unsend' }).click();
  await expect(question(one)).toContainText('It will disappear for the fan.');
  expect(await accessibilityIssues(one)).toEqual([]);
  await confirm(one);
  await expect(thread(one)).toContainText('You unsent a message');
  await expect(thread(two)).toContainText('Mango unsent a message');
  await expect(one.getByText('Message unsent').last()).toBeVisible();
  for (const page of [one, two, phone]) {
    await expect(page.getByRole('log')).not.toContainText('slip');
    await expect(bubble(page, 'Quoting')).toContainText('Message unsent');
  }
  expect(await accessibilityIssues(one)).toEqual([]);
  expect((await seenBy(desk, fan.external_id)).map(({ content }) => content)).toEqual([
    'Quoting',
    'Stays',
    'Hello there',
  ]);

  // A message unsent while the fan is offline disappears when they reconnect, from the browser's storage too.
  await phone.context().setOffline(true);
  const [last] = await seenBy(desk, fan.external_id);
  await mango.client.call(unsendMessage, { params: { id: last?.id ?? '' } });
  await phone.context().setOffline(false);
  await expect(shown(phone, 'Quoting')).toHaveCount(0);
  await phone.reload();
  await expect(shown(phone, 'Stays')).toBeVisible();
  await expect(phone.getByRole('article')).toHaveText([/Hello there/, /Stays/]);
});

test('on a phone, a message that the fan reads meanwhile is not unsent, and the reason is shown', async ({
  desk,
}) => {
  const mango = await desk.hire({ codename: 'Mango' });
  const { id, fan } = await openFan(desk, ['Hello there'], unread);
  const reply = await buildReply(mango, id, { content: 'Hi Ana' });
  const page = await desk.open(mango, { path: `/messages/${id}`, ...PHONE });
  await bubble(page, 'Hi Ana').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Message Actions' }).getByText('Unsend').click();
  await expect(question(page)).toBeVisible();
  expect(await accessibilityIssues(page)).toEqual([]);
  await desk.platform.call(postFanRead, {
    params: { fan: fan.external_id },
    body: { up_to_message_id: reply.id },
  });
  await confirm(page);
  await expect(page.getByText('The fan has already read this message')).toBeVisible();
  await expect(bubble(page, 'Hi Ana').getByRole('img', { name: 'Read' })).toBeVisible();
  await bubble(page, 'Hi Ana').focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Message Actions' });
  await expect(menu.getByText('Copy')).toBeVisible();
  await expect(menu.getByText('Unsend')).toHaveCount(0);
});
