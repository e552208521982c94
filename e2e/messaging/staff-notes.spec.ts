import type { Page } from '@playwright/test';
import { getConversation } from '@stagedoor/contract/inbox/conversations';
import { listMessages } from '@stagedoor/contract/messaging/messages';
import { deleteStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
} from '../../apps/server/test/factories.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openConversation } from '../support/conversation.ts';
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';
import { failing, holdCalls } from '../support/network.ts';
import { bubble, composer, row, tab, thread } from '../support/screens.ts';
import { leaveNote, note } from '../support/staff-notes.ts';

const mode = (page: Page, name: 'Reply' | 'Note') =>
  page.getByRole('group', { name: 'Message type' }).getByRole('radio', { name });
const field = (page: Page) => page.getByPlaceholder('Add a note for staff...');
const add = (page: Page) => page.getByRole('button', { name: 'Add Note' });
test('a note is added among the messages, live for teammates, and the fan’s conversation is unchanged', async ({
  desk,
}) => {
  const [mango, kiwi] = [
    await desk.hire({ codename: 'Mango' }),
    await desk.hire({ codename: 'Kiwi', can_manage_messages: false }),
  ];
  const { id, fan } = await buildConversation(desk);
  const before = (await mango.client.call(getConversation, { params: { id } })).body.data;
  const one = await desk.open(kiwi, { path: `/inbox/${id}` });
  const two = await desk.open(mango, { path: `/inbox/${id}` });
  await expect(bubble(two, 'Hello there')).toBeVisible();
  await mode(one, 'Note').click();
  await expect(field(one)).toBeFocused();
  await expect(one.getByText('Only staff can see this')).toBeVisible();
  await field(one).fill('Wants a discount');
  await add(one).click();
  for (const page of [one, two]) {
    await expect(note(page, 'Wants a discount')).toContainText('Only staff can see this');
    await expect(note(page, 'Wants a discount')).toContainText('Kiwi');
  }
  await expect(field(one)).toHaveValue('');
  await buildFanMessage(desk, fan, { content: 'Anyone there?' });
  await expect(bubble(two, 'Anyone there?')).toBeVisible();
  await expect(thread(two).getByRole('article')).toHaveText([
    /Hello there/,
    /Wants a discount/,
    /Anyone there\?/,
  ]);
  const after = (await mango.client.call(getConversation, { params: { id } })).body.data;
  expect(after.last_seq).toBe(before.last_seq + 1);
  expect(after.last_message_content).toBe('Anyone there?');
});

test('a note and a reply keep separate texts, and no key sends a note to the fan', async ({
  desk,
}) => {
  const { page, staff, id } = await openConversation(desk);
  await composer(page).fill('For the fan');
  await mode(page, 'Note').click();
  await expect(composer(page)).toBeHidden();
  await field(page).fill('First');
  await field(page).press('Enter');
  await expect(note(page, 'First')).toBeVisible();
  await field(page).fill('Second');
  await field(page).press('Control+Enter');
  await expect(note(page, 'Second')).toBeVisible();
  await field(page).fill('Begun');
  await mode(page, 'Reply').click();
  await expect(composer(page)).toHaveValue('For the fan');
  await expect(field(page)).toHaveCount(0);
  await page.reload();
  // An unfinished note must not be mistaken for a reply.
  await expect(field(page)).toHaveValue('Begun');
  await mode(page, 'Reply').click();
  await expect(composer(page)).toHaveValue('For the fan');
  await composer(page).press('Enter');
  await expect(bubble(page, 'For the fan')).toBeVisible();
  await expect
    .poll(async () => {
      const { data } = (await staff.client.call(listMessages, { params: { id } })).body;
      return data.map(({ content }) => content);
    })
    .toEqual(['Hello there', 'For the fan']);
});

test('unfinished notes written in two tabs are both kept', async ({ desk }) => {
  const { page } = await openConversation(desk);
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const other = await page.context().newPage();
  await other.goto(`/inbox/${id}`);
  for (const [tab, text] of [
    [page, 'About Ana'],
    [other, 'About Ben'],
  ] as const) {
    await mode(tab, 'Note').click();
    await field(tab).fill(text);
  }
  await page.reload();
  await expect(field(page)).toHaveValue('About Ana');
  await other.reload();
  await expect(field(other)).toHaveValue('About Ben');
});

test('a note that fails to save stays in the field, and is added once', async ({ desk }) => {
  const { page } = await openConversation(desk);
  await mode(page, 'Note').click();
  await field(page).fill('Said twice');
  let calls = 0;
  await page.route('**/staff-notes', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    calls += 1;
    // The note is stored, but the reply is lost.
    if (calls === 1) {
      await route.fetch();
      return route.abort();
    }
    return route.continue();
  });
  await add(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'note' })).toBeVisible();
  await expect(field(page)).toHaveValue('Said twice');
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click();
  await expect(field(page)).toHaveValue('');
  await expect(note(page, 'Said twice')).toHaveCount(1);
});

test('an added note is gone from the field in every tab, even if the conversation was reopened during the save', async ({
  desk,
}) => {
  const { page } = await openConversation(desk);
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  await mode(page, 'Note').click();
  await field(page).fill('Said once');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(field(other)).toHaveValue('Said once');
  const letGo = await holdCalls(page, /\/staff-notes$/);
  await add(page).click();
  await tab(page, 'All').click();
  await row(page, 'Ben').click();
  await row(page, 'Ana').click();
  await expect(field(page)).toHaveValue('Said once');
  letGo();
  for (const each of [page, other]) {
    await expect(note(each, 'Said once')).toBeVisible();
    await expect(field(each)).toHaveValue('');
  }
});

test('one’s own note can be edited and deleted, a teammate’s only by admins who can manage admins', async ({
  desk,
}) => {
  const [mango, manager] = [await desk.hire(), await desk.hire({ role: 'manager' })];
  const { id } = await buildConversation(desk);
  await leaveNote(mango, id, 'Old words');
  await leaveNote(manager, id, 'From the manager');
  const page = await desk.open(mango, { path: `/inbox/${id}` });
  const actions = (on: Page, text: string) =>
    note(on, text).getByRole('button', { name: 'Note Actions' });
  await expect(note(page, 'From the manager')).toBeVisible();
  await expect(actions(page, 'From the manager')).toHaveCount(0);
  await actions(page, 'Old words').click();
  await page.getByRole('menuitem', { name: 'Edit Note' }).click();
  const editor = page.getByPlaceholder('Add a note for staff...');
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue('Old words');
  await editor.fill('New words');
  await page.getByRole('button', { name: 'Save Note' }).click();
  await expect(note(page, 'New words')).toContainText('edited');
  await expect(add(page)).toBeVisible();

  const other = await desk.open(manager, { path: `/inbox/${id}` });
  await actions(other, 'New words').click();
  await expect(other.getByRole('menuitem')).toHaveText(['Delete Note']);
  await other.getByRole('menuitem', { name: 'Delete Note' }).click();
  const question = other.getByRole('alertdialog', { name: 'Delete this note?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete' }).click();
  for (const each of [page, other]) await expect(note(each, 'New words')).toHaveCount(0);
});

async function editNote(page: Page, text: string) {
  await note(page, text).getByRole('button', { name: 'Note Actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit Note' }).click();
  await expect(field(page)).toHaveValue(text);
}

test('text added to an edited note while it is being saved stays', async ({ desk }) => {
  const { page, way, staff, id } = await openConversation(desk);
  await leaveNote(staff, id, 'First');
  await editNote(page, 'First');
  await way.cut();
  await field(page).fill('Second');
  const save = await holdCalls(page, /\/staff-notes\/[\w-]{36}$/);
  await field(page).press('Enter');
  await field(page).fill('Second and third');
  save();
  await expect(note(page, 'Second')).toContainText('edited');
  await expect(field(page)).toHaveValue('Second and third');
  await field(page).press('Enter');
  await expect(note(page, 'Second and third')).toBeVisible();
  await expect(add(page)).toBeVisible();
});

test('a late save of a note does not close the next edit', async ({ desk }) => {
  const { page, way, staff, id } = await openConversation(desk);
  for (const text of ['First', 'Second']) await leaveNote(staff, id, text);
  await editNote(page, 'First');
  await way.cut();
  await field(page).fill('Third');
  const save = await holdCalls(page, /\/staff-notes\/[\w-]{36}$/);
  await field(page).press('Enter');
  await page.getByRole('button', { name: 'Cancel Editing' }).click();
  await editNote(page, 'Second');
  await field(page).fill('Fourth');
  save();
  await expect(note(page, 'Third')).toBeVisible();
  await expect(field(page)).toHaveValue('Fourth');
});

test('notes among older messages load with them, each in its position', async ({ desk }) => {
  const staff = await desk.hire();
  const { id, fan } = await buildConversation(desk, { messages: ['First of all'] });
  await leaveNote(staff, id, 'At the beginning');
  for (let n = 1; n <= 70; n += 1) await buildReply(staff, id, { content: `Message ${n}` });
  await buildFanMessage(desk, fan, { content: 'The newest' });
  await leaveNote(staff, id, 'At the end');
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await expect(note(page, 'At the end')).toBeVisible();
  await thread(page).getByRole('article').last().focus();
  await page.keyboard.press('Home');
  await expect(async () => {
    await page.keyboard.press('Home');
    await expect(bubble(page, 'First of all')).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(note(page, 'At the beginning')).toBeVisible();
  const texts = await thread(page).getByRole('article').allInnerTexts();
  const order = ['First of all', 'At the beginning', 'Message 1\n'].map((text) =>
    texts.findIndex((shown) => shown.includes(text.trim())),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test('after missed events the notes are up to date', async ({ desk }) => {
  const { page, way, staff, id } = await openConversation(desk);
  const gone = await leaveNote(staff, id, 'Soon gone');
  await expect(note(page, 'Soon gone')).toBeVisible();
  await way.cut();
  await staff.client.call(deleteStaffNote, { params: { id, noteId: gone.id } });
  await leaveNote(staff, id, 'Written meanwhile');
  way.restore();
  await expect(note(page, 'Written meanwhile')).toBeVisible();
  await expect(note(page, 'Soon gone')).toHaveCount(0);
});

test('notes that fail to load leave the conversation usable, and can be retried', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const { id } = await buildConversation(desk);
  await leaveNote(staff, id, 'Kept');
  const page = await desk.open(staff, {
    path: `/inbox/${id}`,
    prepare: failing('**/staff-notes?*', 400),
  });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t load staff notes' });
  await expect(alert).toBeVisible();
  await page.unroute('**/staff-notes?*');
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(note(page, 'Kept')).toBeVisible();
  await expect(alert).toHaveCount(0);
});

test('a note and then a reply are written by keyboard alone', async ({ desk }) => {
  const { page } = await openConversation(desk);
  await composer(page).focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Enter');
  await expect(note(page, 'By keys')).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(mode(page, 'Note')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(mode(page, 'Reply')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(composer(page)).toBeVisible();
});

for (const size of [DESKTOP, PHONE]) {
  test(`notes have no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const staff = await desk.hire({ codename: 'Mango', display_color: '#B4235A' });
    const { id } = await buildConversation(desk);
    await leaveNote(staff, id, 'See https://example.com before you answer');
    const page = await desk.open(staff, { ...size, path: `/inbox/${id}` });
    await expect(note(page, 'before you answer')).toBeVisible();
    await mode(page, 'Note').click();
    await field(page).fill('Another note');
    await expect(add(page)).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
