import { claimConversation, getConversation } from '@stagedoor/contract/inbox/conversations';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { createTemplate } from '@stagedoor/contract/messaging/templates';
import { getSettings, updateSettings } from '@stagedoor/contract/team/settings';
import { buildConversation, buildReply } from '../../apps/server/test/factories.ts';
import { openConversation } from '../support/conversation.ts';
import { type Desk, expect, test } from '../support/journey.ts';
import { holdAnswers, holdCalls, withoutLiveWay } from '../support/network.ts';
import { bubble, button, composer, reply } from '../support/screens.ts';

const QUESTION = 'A teammate just replied. Send anyway?';
async function written(desk: Desk, staff: { token: string }, id: string): Promise<string[]> {
  const { body } = await desk.staff(staff.token).call(listMessages, { params: { id } });
  return body.data.map(({ content }) => content);
}

test('a teammate’s answer that has not arrived here yet still stops the send, and the text stays', async ({
  desk,
}) => {
  let letGo = () => {};
  const { page, way, id, staff } = await openConversation(desk, ['Hello there'], async (opened) => {
    letGo = await holdAnswers(opened, 'A teammate was faster');
  });
  await composer(page).pressSequentially('Hi Ana');
  // Keeps the teammate's reply from this browser: its live events are lost, and refetched messages are held back.
  way.lost = /A teammate was faster/;
  await buildReply(await desk.hire(), id, { content: 'A teammate was faster' });
  await composer(page).press('Enter');
  await expect(bubble(page, 'Hi Ana').getByText(QUESTION)).toBeVisible();
  await expect(bubble(page, 'A teammate was faster')).toHaveCount(0);
  expect(await written(desk, staff, id)).toEqual(['Hello there', 'A teammate was faster']);
  letGo();
  await bubble(page, 'Hi Ana').getByRole('button', { name: 'Send anyway' }).click();
  await expect(bubble(page, 'Hi Ana').getByRole('time')).toBeVisible();
  await expect(bubble(page, 'A teammate was faster')).toBeVisible();
  await expect(page.getByText(QUESTION)).toHaveCount(0);
});

test('without a live connection the question is above the text field, and Edit takes the text back', async ({
  desk,
}) => {
  const { page, way, id, staff } = await openConversation(desk);
  await composer(page).pressSequentially('Hi Ana');
  await way.cut();
  await buildReply(await desk.hire(), id, { content: 'A teammate was faster' });
  await composer(page).press('Enter');
  const tray = page.getByRole('list', { name: 'Messages not sent' });
  await expect(tray.getByText(QUESTION)).toBeVisible();
  await expect(tray.getByRole('button', { name: 'Send anyway' })).toBeVisible();
  await tray.getByRole('button', { name: 'Edit' }).click();
  await expect(composer(page)).toHaveValue('Hi Ana');
  way.restore();
  await expect(bubble(page, 'A teammate was faster')).toBeVisible();
  expect(await written(desk, staff, id)).toHaveLength(2);
  await reply(page, 'Hi Ana, once more');
  await expect(bubble(page, 'Hi Ana, once more').getByRole('time')).toBeVisible();
});

test('a teammate’s answer stops the send of an inserted template, too', async ({ desk }) => {
  const { page, id, staff } = await openConversation(desk);
  await staff.client.call(createTemplate, {
    body: { name: 'Hello', content: 'Hi from me', is_shared: true },
  });
  await button(page, 'Attach').click();
  await page.getByRole('menuitem', { name: 'Templates' }).click();
  const templates = page.getByRole('dialog', { name: 'Templates' });
  await templates.getByRole('button', { name: 'Use Hello' }).click();
  await expect(composer(page)).toHaveValue('Hi from me');
  await buildReply(await desk.hire(), id, { content: 'A teammate was faster' });
  await expect(bubble(page, 'A teammate was faster')).toBeVisible();
  await composer(page).press('Enter');
  await expect(page.getByText(QUESTION)).toBeVisible();
  expect(await written(desk, staff, id)).toEqual(['Hello there', 'A teammate was faster']);
});

test('the team rules are set in the console and apply at once', async ({ desk }) => {
  const page = await desk.open(await desk.hire({ role: 'manager' }), { path: '/console/rules' });
  const rule = page.getByRole('switch', { name: 'Claim on first reply' });
  await expect(rule).not.toBeChecked();
  await rule.click();
  await expect(rule).toBeChecked();
  const release = page.getByRole('switch', { name: 'Release inactive claims' });
  await expect(page.getByLabel('Release after')).toBeDisabled();
  await release.click();
  await page.getByLabel('Release after').selectOption('12 hours');
  await expect(page.getByLabel('Release after')).toHaveValue('12');

  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  await buildReply(staff, id);
  const { body } = await staff.client.call(getConversation, { params: { id } });
  expect(body.data.claimed_by).toBe(staff.admin.id);
});

test('a team rule that a teammate has changed meanwhile is not overwritten, and the stored rules appear', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  // A live connection would bring the teammate's change before the conflict.
  const page = await desk.open(manager, { path: '/console/rules', prepare: withoutLiveWay });
  const reopen = page.getByRole('switch', { name: 'Reopen archived conversations' });
  await expect(reopen).not.toBeChecked();
  const { body } = await manager.client.call(getSettings);
  await manager.client.call(updateSettings, {
    body: { version: body.data.version, claim_on_first_reply: true },
  });
  await reopen.click();
  const problem = page.getByRole('alert');
  await expect(problem).toHaveText('A teammate has changed these settings since you opened them');
  await expect(page.getByRole('switch', { name: 'Claim on first reply' })).toBeChecked();
  await expect(reopen).not.toBeChecked();
  await reopen.click();
  await expect(reopen).toBeChecked();
  await expect(problem).toHaveCount(0);
});

test('a rule that is set while another is being saved is saved too', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/console/rules' });
  const claims = page.getByRole('switch', { name: 'Claim on first reply' });
  await expect(claims).not.toBeChecked();
  const letGo = await holdCalls(page, /\/api\/admin\/settings$/);
  await claims.click();
  await page.getByRole('switch', { name: 'Reopen archived conversations' }).click();
  await page.getByLabel('Stop idle clocks').selectOption('45 minutes');
  await page.getByRole('switch', { name: 'Access only on shift' }).click();
  await page.getByLabel('Daily limit').selectOption('3');
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  letGo();
  await expect(claims).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Reopen archived conversations' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Access only on shift' })).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Quiet hours' })).toBeChecked();
  const { body } = await manager.client.call(getSettings);
  expect(body.data).toMatchObject({
    claim_on_first_reply: true,
    reopen_on_fan_message: true,
    clock_idle_minutes: 45,
    access_only_on_shift: true,
    mass_messages_a_day: 3,
    quiet_from_hour: 22,
  });
});

test('rules that fail to load say so, and Retry loads them', async ({ desk }) => {
  let isBroken = true;
  const page = await desk.open(await desk.hire({ role: 'manager' }), {
    path: '/console/rules',
    // A live connection could refetch the rules before Retry is clicked.
    prepare: async (opened) => {
      await withoutLiveWay(opened);
      await opened.route('**/api/admin/settings', (route) =>
        isBroken ? route.fulfill({ status: 500, body: '' }) : route.continue(),
      );
    },
  });
  const card = page.getByRole('region', { name: 'Team Rules' });
  await expect(card.getByRole('alert')).toBeVisible();
  isBroken = false;
  await card.getByRole('button', { name: 'Retry' }).click();
  await expect(card.getByRole('switch')).toHaveCount(3);
});

test('an admin who can manage admins takes over a teammate’s conversation after confirmation, and the teammate sees it', async ({
  desk,
}) => {
  const mango = await desk.hire({ codename: 'Mango' });
  const manager = await desk.hire({ role: 'manager', codename: 'Kiwi' });
  const { id } = await buildConversation(desk);
  await mango.client.call(claimConversation, { params: { id } });
  const theirs = await desk.open(mango, { path: `/inbox/${id}` });
  await expect(button(theirs, 'Release')).toBeVisible();
  const page = await desk.open(manager, { path: `/inbox/${id}` });
  await button(page, 'More Actions').click();
  await page.getByRole('menuitem', { name: 'Take Over from Mango' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Take Over' }).click();
  await expect(button(page, 'Release')).toBeVisible();
  await expect(theirs.getByText('Claimed by other')).toBeVisible();
  await expect(theirs.getByText('Claimed by Kiwi')).toBeAttached();
});
