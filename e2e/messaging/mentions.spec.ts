import type { Page } from '@playwright/test';
import { MENTIONS_PAGE_SIZE } from '@stagedoor/contract/messaging/mentions';
import { removeAdmin, updateAdminCodename } from '@stagedoor/contract/team/admins';
import { buildConversation, buildReply, type Staff } from '../../apps/server/test/factories.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openLive } from '../support/conversation.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { failing, holdCalls } from '../support/network.ts';
import { bubble } from '../support/screens.ts';
import { mention, note } from '../support/staff-notes.ts';

const field = (page: Page) => page.getByPlaceholder('Add a note for staff...');
const team = (page: Page) => page.getByRole('button', { name: /^Team/ });
const list = (page: Page) => page.getByRole('dialog', { name: 'Mentions' });

async function openNote(desk: Desk, staff: Staff, id: string): Promise<Page> {
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await page.keyboard.press('m');
  await expect(field(page)).toBeFocused();
  return page;
}

test('an @ offers teammates by keyboard, and the mentioned one is notified live and led to the note', async ({
  desk,
}) => {
  const [mango, kiwi] = [
    await desk.hire({ codename: 'Mango' }),
    await desk.hire({ codename: 'Kiwi' }),
  ];
  await desk.hire({ codename: 'Mandarin' });
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const other = await desk.open(kiwi);
  await expect(team(other)).toHaveAccessibleName('Team');
  const page = await openNote(desk, mango, id);
  await page.keyboard.type('Ask @');
  await expect(page.getByRole('option', { name: 'Kiwi' })).toBeVisible();
  await page.keyboard.type('i');
  const options = page.getByRole('listbox', { name: 'Teammates' }).getByRole('option');
  // The options are the names that contain the text. The server's first admin may be among them.
  await expect(options.filter({ hasText: 'Kiwi' })).toHaveCount(1);
  await expect(options.filter({ hasText: 'Mandarin' })).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('ki');
  await expect(options).toHaveText(['Kiwi']);
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue('Ask @Kiwi ');
  await page.keyboard.type('please');
  await page.keyboard.press('Enter');
  await expect(note(page, 'Ask @Kiwi please')).toBeVisible();

  await expect(team(other)).toHaveAccessibleName('Team, 1 new');
  await team(other).click();
  await other.getByRole('button', { name: /^Mentions/ }).click();
  await expect(list(other).getByRole('img', { name: 'Unread' })).toBeVisible();
  await list(other).getByRole('button', { name: /Ana/ }).click();
  await expect(other).toHaveURL(new RegExp(id));
  await expect(note(other, 'Ask @Kiwi please')).toBeInViewport();
  await expect(team(other)).toHaveAccessibleName('Team');
});

test('Escape leaves the text as it is, and a fully typed name counts too', async ({ desk }) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire({ codename: 'Kiwi' })];
  const { id } = await buildConversation(desk);
  const other = await desk.open(kiwi);
  const page = await openNote(desk, mango, id);
  await page.keyboard.type('Hi @kiwi');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(note(page, 'Hi @Kiwi')).toBeVisible();
  await expect(team(other)).toHaveAccessibleName('Team, 1 new');
});

test('a renamed teammate is shown with the new name, and a removed one stays readable', async ({
  desk,
}) => {
  const [mango, kiwi] = [
    await desk.hire({ role: 'manager' }),
    await desk.hire({ codename: 'Kiwi' }),
  ];
  const { id } = await buildConversation(desk);
  await mention(mango, kiwi, id, 'knows more');
  const page = await desk.open(mango, { path: `/inbox/${id}` });
  await expect(note(page, '@Kiwi knows more')).toBeVisible();
  await mango.client.call(updateAdminCodename, {
    params: kiwi.admin,
    body: { codename: 'Papaya' },
  });
  await expect(note(page, '@Papaya knows more')).toBeVisible();
  await mango.client.call(removeAdmin, { params: kiwi.admin });
  await page.reload();
  await expect(note(page, '@Papaya knows more')).toBeVisible();
});

test('a mention among old messages is found, and all are marked as read together', async ({
  desk,
}) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire()];
  const old = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await mention(mango, kiwi, old.id, 'long ago');
  for (let n = 1; n <= 60; n += 1) await buildReply(mango, old.id, { content: `Message ${n}` });
  const recent = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  await mention(mango, kiwi, recent.id, 'just now');
  const page = await desk.open(kiwi);
  await expect(team(page)).toHaveAccessibleName('Team, 2 new');
  await team(page).click();
  await page.getByRole('button', { name: /^Mentions/ }).click();
  await expect(list(page).getByRole('listitem')).toHaveText([/Ben/, /Ana/]);
  await list(page).getByRole('button', { name: 'Mark All as Read' }).click();
  await expect(list(page).getByRole('img', { name: 'Unread' })).toHaveCount(0);
  await expect(team(page)).toHaveAccessibleName('Team');
  await list(page).getByRole('button', { name: /Ana/ }).click();
  await expect(note(page, 'long ago')).toBeInViewport();
});

test('a mention that arrives while older ones load is shown', async ({ desk }) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire()];
  const { id } = await buildConversation(desk);
  for (let n = 0; n <= MENTIONS_PAGE_SIZE; n++) await mention(mango, kiwi, id, `reason ${n}`);
  const { page } = await openLive(desk, kiwi);
  const loadOlder = await holdCalls(page, /\/mentions\?cursor=/);
  const older = page.waitForRequest(/\/mentions\?cursor=/);
  await team(page).click();
  await page.getByRole('button', { name: /^Mentions/ }).click();
  await list(page).getByRole('listitem').last().scrollIntoViewIfNeeded();
  await older;
  const refetch = await holdCalls(page, /\/mentions$/);
  const refetched = page.waitForRequest(/\/mentions$/);
  await mention(mango, kiwi, id, 'look');
  await refetched;
  // The end of the list is in view, so another load of older mentions would start within these frames.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  });
  refetch();
  loadOlder();
  await expect(list(page).getByRole('listitem')).toHaveCount(MENTIONS_PAGE_SIZE + 2);
  await expect(list(page).getByText('look')).toBeVisible();
});

test('a note seen in the thread does not have to be opened again', async ({ desk }) => {
  const [mango, kiwi] = [await desk.hire(), await desk.hire()];
  const { id } = await buildConversation(desk);
  const page = await desk.open(kiwi, { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await mention(mango, kiwi, id, 'look');
  await expect(note(page, 'look')).toBeVisible();
  await team(page).click();
  await page.getByRole('button', { name: /^Mentions/ }).click();
  await expect(list(page).getByRole('listitem')).toHaveCount(1);
  await expect(list(page).getByRole('img', { name: 'Unread' })).toHaveCount(0);
});

test('without mentions the list says so, and a failed load can be retried', async ({ desk }) => {
  const page = await desk.open(await desk.hire(), {
    prepare: failing('**/mentions', 400),
  });
  await team(page).click();
  await page.getByRole('button', { name: /^Mentions/ }).click();
  await expect(list(page).getByRole('alert')).toContainText('Couldn’t load mentions');
  await page.unroute('**/mentions');
  await list(page).getByRole('button', { name: 'Retry' }).click();
  await expect(list(page).getByText('No mentions yet')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(team(page)).toBeFocused();
});

for (const size of [DESKTOP, PHONE]) {
  test(`mentions have no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const [mango, kiwi] = [await desk.hire(), await desk.hire({ codename: 'Kiwi' })];
    const { id } = await buildConversation(desk);
    await mention(kiwi, mango, id, 'is needed here');
    const page = await desk.open(mango, size);
    await expect(team(page)).toHaveAccessibleName('Team, 1 new');
    await team(page).click();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: /^Mentions/ }).click();
    await expect(list(page).getByRole('listitem')).toHaveCount(1);
    expect(await accessibilityIssues(page)).toEqual([]);
    await list(page).getByRole('listitem').getByRole('button').click();
    await expect(note(page, 'is needed here')).toBeVisible();
    await page
      .getByRole('group', { name: 'Message type' })
      .getByRole('radio', { name: 'Note' })
      .click();
    await field(page).pressSequentially('@');
    await expect(page.getByRole('option', { name: 'Kiwi' })).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
