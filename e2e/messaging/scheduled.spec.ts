import type { Page } from '@playwright/test';
import { sendScheduledNow } from '@stagedoor/contract/messaging/scheduled';
import { updateAdminPermissions } from '@stagedoor/contract/team/admins';
import { buildConversation, buildFanMessage } from '../../apps/server/test/factories.ts';
import { buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import {
  buildScheduled,
  hoursAhead,
  makeDue,
  scheduledIn,
} from '../../apps/server/test/worlds/scheduled.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { holdCalls, withoutLiveWay } from '../support/network.ts';
import { fillDateTime } from '../support/pickers.ts';
import { bubble, button, composer, dialog } from '../support/screens.ts';

const chip = (page: Page) => page.getByRole('button', { name: /^Scheduled for/ });
const clock = (page: Page) => page.getByRole('button', { name: 'Schedule Message' });

async function openReply(desk: Desk, timezone?: string) {
  const staff = await desk.hire();
  const conversation = await buildConversation(desk, {
    fan: { first_name: 'Ana', ...(timezone && { timezone }) },
  });
  const page = await desk.open(staff, { path: `/inbox/${conversation.id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  return { ...conversation, staff, page };
}

test('a reply is scheduled by keyboard alone, shows above the composer for everyone, and is sent on time', async ({
  desk,
}) => {
  const { id, staff, page } = await openReply(desk);
  const teammate = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await composer(page).focus();
  await page.keyboard.type('Good morning');
  await page.keyboard.press('Tab');
  await expect(clock(page)).toBeFocused();
  await page.keyboard.press('Enter');
  const later = dialog(page, 'Schedule Message');
  await expect(later).toContainText('To Ana');
  await expect(later).toContainText('Good morning');
  await button(later, 'Schedule').press('Enter');
  await expect(later.getByRole('alert')).toHaveText('Choose a time in the future');
  await later.getByRole('button', { name: 'Tomorrow' }).press('Enter');
  await expect(later.getByRole('button', { name: 'Tomorrow' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await button(later, 'Schedule').press('Enter');
  await expect(later).toHaveCount(0);
  await expect(composer(page)).toHaveValue('');
  await expect(chip(page)).toContainText('09:00');
  await expect(chip(teammate)).toContainText('09:00');
  const [scheduled] = await scheduledIn(staff, id);
  await makeDue(desk, scheduled?.id ?? '');
  await expect(bubble(page, 'Good morning')).toBeVisible();
  await expect(bubble(teammate, 'Good morning')).toBeVisible();
  await expect(chip(page)).toHaveCount(0);
  await expect(chip(teammate)).toHaveCount(0);
});

test('the fan’s time zone is used if known, and one’s own is shown next to it', async ({
  desk,
}) => {
  const { id, staff, page } = await openReply(desk, 'Asia/Tokyo');
  await composer(page).fill('Good morning');
  await clock(page).click();
  const later = dialog(page, 'Schedule Message');
  await expect(later.getByRole('radio', { name: 'Ana’s time' })).toBeChecked();
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await fillDateTime(later, day, '09:00');
  await expect(later.getByText(/09:00 for Ana · .*0[12]:00 for you/)).toBeVisible();
  await button(later, 'Schedule').click();
  await expect(later).toHaveCount(0);
  const [scheduled] = await scheduledIn(staff, id);
  expect(scheduled?.send_at).toBe(`${day}T00:00:00.000Z`);
});

test('files and products can be scheduled too, and nothing is lost if that fails', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  await buildProduct(manager, { title: 'Sunset Set', price: '9.99' });
  const { id, staff, page } = await openReply(desk);
  const buffer = Buffer.from('dear diary');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'diary.txt', mimeType: 'text/plain', buffer });
  await composer(page).fill('For you');
  await page.route('**/scheduled', (route) => route.abort());
  await clock(page).click();
  const later = dialog(page, 'Schedule Message');
  await expect(later).toContainText('diary.txt');
  await later.getByRole('button', { name: 'In 1 hour' }).click();
  await button(later, 'Schedule').click();
  await expect(later.getByRole('alert')).toHaveText('Couldn’t schedule the message');
  await page.unroute('**/scheduled');
  await button(later, 'Schedule').click();
  await expect(later).toHaveCount(0);
  await expect(composer(page)).toHaveValue('');
  await expect(page.getByText('diary.txt')).toHaveCount(0);

  await composer(page).press('Escape');
  await page.keyboard.press('p');
  const offer = dialog(page, 'Send Product');
  await offer.getByRole('radio', { name: /Sunset Set/ }).check();
  await offer.getByLabel('Price in US dollars').fill('25');
  await offer.getByRole('button', { name: 'Schedule Message' }).click();
  await expect(later).toContainText('$25.00');
  await later.getByRole('button', { name: 'In 1 hour' }).click();
  await button(later, 'Schedule').click();
  await expect(later).toHaveCount(0);
  const waiting = await scheduledIn(staff, id);
  expect(new Set(waiting.map(({ attachments }) => attachments[0]?.label))).toEqual(
    new Set(['Sunset Set', 'diary.txt']),
  );
  await makeDue(desk, ...waiting.map((each) => each.id));
  await expect(bubble(page, 'diary.txt')).toBeVisible();
  await expect(bubble(page, 'Sunset Set')).toBeVisible();
});

test('a follow-up is canceled live if the fan writes first', async ({ desk }) => {
  const { fan, page } = await openReply(desk);
  await composer(page).fill('Still there?');
  await clock(page).click();
  const later = dialog(page, 'Schedule Message');
  await later.getByRole('button', { name: 'In 1 hour' }).click();
  await later.getByRole('checkbox', { name: /writes first/ }).check();
  await button(later, 'Schedule').click();
  await expect(chip(page)).toBeVisible();
  await buildFanMessage(desk, fan, { content: 'Yes I am' });
  await expect(bubble(page, 'Yes I am')).toBeVisible();
  await expect(chip(page)).toHaveCount(0);
  await expect(bubble(page, 'Still there?')).toHaveCount(0);
});

test('scheduled messages can be changed, sent and canceled in their list', async ({ desk }) => {
  const { id, staff, page } = await openReply(desk);
  await buildScheduled(staff, id, { content: 'First', send_at: hoursAhead(2) });
  await buildScheduled(staff, id, { content: 'Second', send_at: hoursAhead(3) });
  await expect(chip(page)).toContainText('+1');
  await chip(page).click();
  const list = dialog(page, 'Scheduled Messages');
  const first = list.getByRole('listitem').filter({ hasText: 'First' });
  await first.getByRole('button', { name: 'Edit' }).click();
  await list.getByLabel('Message to Ana').fill('Changed');
  await list.getByRole('button', { name: 'Save' }).click();
  const changed = list.getByRole('listitem').filter({ hasText: 'Changed' });
  await changed.getByRole('button', { name: 'Send Now' }).click();
  await expect(changed).toHaveCount(0);
  const second = list.getByRole('listitem').filter({ hasText: 'Second' });
  await second.getByRole('button', { name: 'Cancel Message' }).click();
  await page
    .getByRole('alertdialog', { name: 'Cancel this message?' })
    .getByRole('button', { name: 'Cancel Message' })
    .click();
  await expect(list.getByText('Nothing is scheduled')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bubble(page, 'Changed')).toBeVisible();
  await expect(chip(page)).toHaveCount(0);
});

test('a scheduled message is locked while it is being saved', async ({ desk }) => {
  const { id, staff, page } = await openReply(desk);
  await buildScheduled(staff, id, { content: 'First' });
  await chip(page).click();
  const list = dialog(page, 'Scheduled Messages');
  await button(list, 'Edit').click();
  const text = list.getByLabel('Message to Ana');
  await text.fill('Changed');
  const save = await holdCalls(page, /\/scheduled\/[\w-]{36}$/);
  await button(list, 'Save').click();
  await expect(text).not.toBeEditable();
  await expect(list.getByRole('textbox', { name: 'Date' })).not.toBeEditable();
  await expect(list.getByRole('button', { name: 'Tomorrow' })).toBeDisabled();
  await expect(list.getByRole('checkbox')).toBeDisabled();
  save();
  await expect(text).toHaveCount(0);
});

test('a late save of a scheduled message does not close the next edit', async ({ desk }) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  for (const content of ['First', 'Second']) await buildScheduled(staff, id, { content });
  const page = await desk.open(staff, { path: `/inbox/${id}`, prepare: withoutLiveWay });
  await chip(page).click();
  const list = dialog(page, 'Scheduled Messages');
  const item = (text: string) => list.getByRole('listitem').filter({ hasText: text });
  const text = list.getByLabel('Message to Ana');
  await button(item('First'), 'Edit').click();
  await text.fill('Revised');
  const save = await holdCalls(page, /\/scheduled\/[\w-]{36}$/);
  await button(list, 'Save').click();
  await button(item('Second'), 'Edit').click();
  await text.fill('Rewritten');
  save();
  await expect(item('Revised')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(text).toHaveValue('Rewritten');
});

test('a message sent while it is being edited says so, and the input stays', async ({ desk }) => {
  const { id, staff, page } = await openReply(desk);
  const made = await buildScheduled(staff, id, { content: 'Good morning' });
  await chip(page).click();
  const list = dialog(page, 'Scheduled Messages');
  await list.getByRole('button', { name: 'Edit' }).click();
  const text = list.getByLabel('Message to Ana');
  await text.fill('Good evening');
  await staff.client.call(sendScheduledNow, { params: { id: made.id } });
  await expect(list.getByRole('alert')).toHaveText(
    'This message has already been sent or canceled, or is being sent now',
  );
  await expect(text).toHaveValue('Good evening');
  await expect(list.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(bubble(page, 'Good morning')).toBeVisible();
});

test('every way out of an unsaved edit asks first', async ({ desk }) => {
  const { id, staff, page } = await openReply(desk);
  const ben = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  await buildScheduled(staff, id, { content: 'For Ana' });
  await buildScheduled(staff, id, { content: 'Later', send_at: hoursAhead(3) });
  await buildScheduled(staff, ben.id, { content: 'For Ben', send_at: hoursAhead(2) });
  await chip(page).click();
  const list = dialog(page, 'Scheduled Messages');
  const tab = (name: string) => list.getByRole('tab', { name });
  const question = page.getByRole('alertdialog');
  await tab('Mine').click();
  await list
    .getByRole('listitem')
    .filter({ hasText: 'For Ana' })
    .getByRole('button', { name: 'Edit' })
    .click();
  const text = list.getByLabel('Message to Ana');
  await text.fill('Changed');
  for (const goAway of [
    () => page.keyboard.press('Escape'),
    () => button(list, 'Close').click(),
    () => list.getByRole('button', { name: 'Close Dialog' }).click(),
    () => page.mouse.click(5, 5),
    () => tab('This conversation').click(),
    () =>
      list
        .getByRole('listitem')
        .filter({ hasText: 'For Ben' })
        .getByRole('button', { name: 'Edit' })
        .click(),
    () => list.getByRole('link', { name: 'To Ben' }).click(),
  ]) {
    await goAway();
    await expect(question).toContainText('Your changes aren’t saved.');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(text).toHaveValue('Changed');
  }
  await list.getByRole('link', { name: 'To Ana' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(list).toBeHidden();
});

test('a scheduled message that failed says why, to its author and to managers, and can be retried', async ({
  desk,
}) => {
  const manager = await desk.hire({ role: 'manager' });
  const { id, staff, page } = await openReply(desk);
  const params = { id: staff.admin.id };
  const made = await buildScheduled(staff, id, { content: 'Good morning' });
  const allow = (can_manage_messages: boolean) =>
    manager.client.call(updateAdminPermissions, { params, body: { can_manage_messages } });
  await allow(false);
  await makeDue(desk, made.id);
  const boss = await desk.open(manager);
  await boss.getByRole('button', { name: 'Settings' }).click();
  await boss.getByRole('button', { name: 'Scheduled Messages...' }).click();
  const all = dialog(boss, 'Scheduled Messages');
  await all.getByRole('tab', { name: 'Everyone’s' }).click();
  await expect(all.getByRole('listitem')).toContainText(
    'Not sent: The person who scheduled this can no longer send messages',
  );
  await allow(true);
  await page.getByRole('button', { name: 'A scheduled message was not sent' }).click();
  await page.getByRole('button', { name: 'Retry Now' }).click();
  await expect(dialog(page, 'Scheduled Messages').getByText('Nothing is scheduled')).toBeVisible();
  await expect(all.getByText('Nothing is scheduled')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bubble(page, 'Good morning')).toBeVisible();
});

test('a server that is killed at the scheduled time sends each message once after a restart', async ({
  desk,
}) => {
  const { id, staff, page } = await openReply(desk);
  const made = [
    await buildScheduled(staff, id, { content: 'Good morning' }),
    await buildScheduled(staff, id, { content: 'Good night' }),
  ];
  await makeDue(desk, ...made.map((each) => each.id));
  await desk.server.kill();
  await makeDue(desk, ...made.map((each) => each.id));
  await desk.server.start();
  await page.reload();
  for (const text of ['Good morning', 'Good night']) {
    await expect(bubble(page, text)).toHaveCount(1);
  }
  await expect.poll(async () => (await scheduledIn(staff, id)).length).toBe(0);
  for (const text of ['Good morning', 'Good night']) {
    await expect(bubble(page, text)).toHaveCount(1);
  }
});

for (const size of [DESKTOP, PHONE]) {
  test(`scheduling has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const manager = await desk.hire({ role: 'manager' });
    const { id } = await buildConversation(desk, {
      fan: { first_name: 'Ana', timezone: 'Asia/Tokyo' },
    });
    await buildScheduled(manager, id, { content: 'Good morning', is_follow_up: true });
    const made = await buildScheduled(manager, id, { content: 'Not sent' });
    await desk.db.kysely
      .updateTable('scheduled_messages')
      .set({ state: 'failed', reason: 'The person who scheduled this was removed' })
      .where('id', '=', made.id)
      .execute();
    const page = await desk.open(manager, { ...size, path: `/inbox/${id}` });
    await composer(page).fill('Good night');
    await expect(chip(page)).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await clock(page).click();
    await button(dialog(page, 'Schedule Message'), 'Schedule').click();
    await expect(dialog(page, 'Schedule Message').getByRole('alert')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await button(page, 'Back').click();
    await chip(page).click();
    await expect(dialog(page, 'Scheduled Messages').getByText(/^Not sent: /)).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit' }).first().click();
    await expect(page.getByLabel('Message to Ana')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
