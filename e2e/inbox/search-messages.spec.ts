import type { Page } from '@playwright/test';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import { listMessages, MESSAGES_AROUND } from '@stagedoor/contract/messaging/messages';
import { deleteStaffNote, updateStaffNote } from '@stagedoor/contract/messaging/staff-notes';
import {
  buildConversation,
  buildFanMessage,
  buildReply,
  unique,
} from '../../apps/server/test/factories.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { openConversation } from '../support/conversation.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { holdCalls, type LiveConnection, withoutLiveWay } from '../support/network.ts';
import { bubble, reply, searchBox, thread } from '../support/screens.ts';
import { leaveNote, note } from '../support/staff-notes.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search All Messages' });
const field = (page: Page) => dialog(page).getByLabel('Search All Messages');
const hits = (page: Page) => dialog(page).getByRole('listitem');

/** Opens the search with its shortcut, once the console is ready. */
async function openSearch(page: Page): Promise<void> {
  await expect(searchBox(page)).toBeVisible();
  await page.keyboard.press('Control+Shift+F');
}

const texts = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index === 30 ? 'The pineapple of the thirtieth day' : `Message number ${index + 1}.`,
  );

/** Creates a long, read conversation with the word 'pineapple' in one message. */
async function arrange(desk: Desk, count = 150) {
  const staff = await desk.hire();
  const long = await buildConversation(desk, {
    fan: { first_name: 'Ana' },
    messages: texts(count),
  });
  await staff.client.call(markRead, { params: { id: long.id } });
  return { staff, long };
}

/** Reconnects, and waits until the messages around the hit are refetched. */
async function refreshAround(page: Page, way: LiveConnection): Promise<void> {
  const refreshed = page.waitForResponse(/messages\?around=/);
  await way.cut();
  way.restore();
  await (await refreshed).finished();
}

test('an old message is found by its text, and shown in its context', async ({ desk }) => {
  const { staff, long } = await arrange(desk);
  const page = await desk.open(staff);
  await openSearch(page);
  await expect(field(page)).toBeFocused();
  await expect(dialog(page).getByText('Find any message')).toBeVisible();
  await field(page).fill('PINEAPPLE');
  await expect(hits(page)).toHaveCount(1);
  await expect(hits(page).locator('mark')).toHaveText('pineapple');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const found = bubble(page, 'The pineapple of the thirtieth day');
  await expect(found.locator('.ring-3')).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/inbox/${long.id}\\?message=${long.messages[30]?.id}`));
  await expect(found).toBeInViewport();
  await expect(bubble(page, 'Message number 30.')).toBeVisible();
  await expect(bubble(page, 'Message number 32.')).toBeVisible();
  await expect(bubble(page, 'Message number 150.')).toHaveCount(0);
  await expect(found.locator('.ring-3')).toHaveCount(0);
});

test('from a found message the thread scrolls in both directions, and new messages leave no gap', async ({
  desk,
}) => {
  const { staff, long } = await arrange(desk);
  const path = `/inbox/${long.id}?message=${long.messages[30]?.id}`;
  const page = await desk.open(staff, { path });
  await expect(bubble(page, 'The pineapple of the thirtieth day')).toBeInViewport();
  await buildFanMessage(desk, long.fan, { content: 'Just arrived' });
  await expect(page.getByRole('link', { name: /Ana.*Just arrived/ })).toBeVisible();
  await expect(bubble(page, 'Just arrived')).toHaveCount(0);

  await thread(page).hover();
  for (const number of ['1', '60', '110', '150']) {
    const target = bubble(page, `Message number ${number}.`);
    await expect(async () => {
      await page.mouse.wheel(0, number === '1' ? -900 : 700);
      await expect(target).toBeInViewport({ timeout: 300 });
    }).toPass();
  }
  await expect(async () => {
    await page.mouse.wheel(0, 900);
    const back = page.getByRole('button', { name: 'Back to Newest' });
    await expect(back).toBeHidden({ timeout: 300 });
  }).toPass();
  await expect(bubble(page, 'Just arrived')).toBeInViewport();
});

test('staff notes are shown in their positions around a found message, and stay current', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const { id, fan } = await buildConversation(desk, { messages: texts(40) });
  const early = await leaveNote(staff, id, 'Among the early ones');
  for (let n = 41; n <= 180; n += 1)
    await buildFanMessage(desk, fan, { content: `Message number ${n}.` });
  const late = await leaveNote(staff, id, 'At the end');
  const { data } = (
    await staff.client.call(listMessages, { params: { id }, query: { limit: 200 } })
  ).body;
  const target = data.find(({ content }) => content === 'Message number 42.');
  await staff.client.call(markRead, { params: { id } });
  const page = await desk.open(staff, { path: `/inbox/${id}?message=${target?.id}` });
  await expect(bubble(page, 'Message number 42.')).toBeInViewport();
  await expect(note(page, 'Among the early ones')).toBeVisible();
  const shown = await thread(page).getByRole('article').allInnerTexts();
  const order = ['Message number 40.', 'Among the early ones', 'Message number 41.'].map((text) =>
    shown.findIndex((each) => each.includes(text)),
  );
  expect(order.every((index) => index !== -1)).toBe(true);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  await expect(note(page, 'At the end')).toHaveCount(0);

  await staff.client.call(updateStaffNote, {
    params: { id, noteId: early.id },
    body: { content: 'In other words' },
  });
  await expect(note(page, 'In other words')).toContainText('edited');
  await leaveNote(staff, id, 'Just now');
  await expect(note(page, 'Just now')).toHaveCount(0);
  await staff.client.call(deleteStaffNote, { params: { id, noteId: early.id } });
  await expect(note(page, 'In other words')).toHaveCount(0);
  await staff.client.call(updateStaffNote, {
    params: { id, noteId: late.id },
    body: { content: 'At the very end' },
  });
  await page.getByRole('button', { name: 'Back to Newest' }).click();
  await expect(note(page, 'At the very end')).toBeVisible();
  await expect(note(page, 'Just now')).toBeInViewport();
});

test('notes among older and newer messages load with them', async ({ desk }) => {
  const staff = await desk.hire();
  const { id, fan } = await buildConversation(desk, { messages: ['First of all'] });
  await leaveNote(staff, id, 'At the beginning');
  for (let n = 1; n <= 200; n += 1) {
    await buildFanMessage(desk, fan, { content: `Message number ${n}.` });
    if (n === 140) await leaveNote(staff, id, 'Farther on');
  }
  await staff.client.call(markRead, { params: { id } });
  const { data } = (
    await staff.client.call(listMessages, { params: { id }, query: { limit: 200 } })
  ).body;
  const target = data.find(({ content }) => content === 'Message number 80.');
  const page = await desk.open(staff, { path: `/inbox/${id}?message=${target?.id}` });
  await expect(bubble(page, 'Message number 80.')).toBeInViewport();
  await thread(page).hover();
  for (const [text, by] of [
    ['At the beginning', -900],
    ['Farther on', 700],
  ] as const) {
    await expect(async () => {
      await page.mouse.wheel(0, by);
      await expect(note(page, text)).toBeInViewport({ timeout: 300 });
    }).toPass();
  }
  const shown = await thread(page).getByRole('article').allInnerTexts();
  const index = shown.findIndex((each) => each.includes('Farther on'));
  expect(shown[index - 1]).toContain('Message number 140.');
  expect(shown[index + 1]).toContain('Message number 141.');
});

/** Turns the wheel until a message is in view. @param by pixels per turn */
async function wheelTo(page: Page, number: number, by: number): Promise<void> {
  await thread(page).hover();
  await expect(async () => {
    await page.mouse.wheel(0, by);
    const message = bubble(page, `Message number ${number}.`).first();
    await expect(message).toBeInViewport({ timeout: 200 });
  }).toPass({ timeout: 30_000 });
}

test('older messages around a hit still load if the console refreshes meanwhile', async ({
  desk,
}) => {
  const { page, way, id, messages } = await openConversation(desk, texts(200));
  const target = messages[80];
  const letGo = await holdCalls(page, /messages\?before=/);
  const asked = page.waitForRequest(/messages\?before=/);
  await page.goto(`/inbox/${id}?message=${target?.id}`);
  await expect(bubble(page, target?.content ?? '')).toBeInViewport();
  await way.untilLive(page);
  await wheelTo(page, 60, -1_500);
  await asked;
  await refreshAround(page, way);
  letGo();
  await wheelTo(page, 1, -1_500);
});

test('newer messages around a hit still load if the console refreshes meanwhile', async ({
  desk,
}) => {
  const { page, way, id, messages } = await openConversation(desk, texts(150));
  // A hit near the beginning: with older messages loaded, a refresh would also load more newer ones.
  const target = messages[20];
  const last = 21 + MESSAGES_AROUND;
  const letGo = await holdCalls(page, /messages\?after=/);
  const asked = page.waitForRequest(/messages\?after=/);
  await page.goto(`/inbox/${id}?message=${target?.id}`);
  await expect(bubble(page, target?.content ?? '')).toBeInViewport();
  await way.untilLive(page);
  await wheelTo(page, last, 1_500);
  await asked;
  await refreshAround(page, way);
  letGo();
  await expect(bubble(page, `Message number ${last + 1}.`)).toBeVisible();
});

test('after missed events the notes around a hit are up to date', async ({ desk }) => {
  const { page, way, staff, id, messages } = await openConversation(desk, texts(150));
  const at = new Date(messages[30]?.created_at ?? '');
  const leaveAmong = async (content: string) => {
    const left = await leaveNote(staff, id, content);
    const notes = desk.db.kysely.updateTable('staff_notes').set({ created_at: at });
    await notes.where('id', '=', left.id).execute();
    return left;
  };
  const gone = await leaveAmong('Soon gone');
  await openSearch(page);
  await field(page).fill('PINEAPPLE');
  await expect(hits(page)).toHaveCount(1);
  await field(page).press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(note(page, 'Soon gone')).toBeInViewport();
  await way.cut();
  await staff.client.call(deleteStaffNote, { params: { id, noteId: gone.id } });
  await leaveAmong('Written meanwhile');
  way.restore();
  await expect(note(page, 'Written meanwhile')).toBeInViewport();
  await expect(note(page, 'Soon gone')).toHaveCount(0);
});

test('a button returns to the newest messages', async ({ desk }) => {
  const { staff, long } = await arrange(desk);
  const path = `/inbox/${long.id}?message=${long.messages[30]?.id}`;
  const page = await desk.open(staff, { path });
  await page.getByRole('button', { name: 'Back to Newest' }).click();
  await expect(bubble(page, 'Message number 150.')).toBeInViewport();
  await expect(page).toHaveURL(new RegExp(`/inbox/${long.id}$`));
  await buildFanMessage(desk, long.fan, { content: 'Live again' });
  await expect(bubble(page, 'Live again')).toBeInViewport();
});

test('a quote of an unloaded message leads to that message', async ({ desk }) => {
  const { staff, long } = await arrange(desk);
  await buildReply(staff, long.id, {
    content: 'Do you remember?',
    reply_to_message_id: long.messages[30]?.id ?? '',
  });
  const page = await desk.open(staff, { path: `/inbox/${long.id}` });
  await bubble(page, 'Do you remember?')
    .getByRole('button', { name: /quoted message/ })
    .click();
  await expect(bubble(page, 'The pineapple of the thirtieth day').first()).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Back to Newest' })).toBeVisible();
  await page.goBack();
  await expect(bubble(page, 'Do you remember?')).toBeInViewport();
});

test('sending a reply next to a found message returns to the newest messages', async ({ desk }) => {
  const { staff, long } = await arrange(desk);
  const path = `/inbox/${long.id}?message=${long.messages[30]?.id}`;
  const page = await desk.open(staff, { path });
  await expect(bubble(page, 'The pineapple of the thirtieth day')).toBeInViewport();
  await reply(page, 'An answer');
  await expect(bubble(page, 'An answer')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Back to Newest' })).toBeHidden();
});

test('the inbox search continues in all messages, and filters narrow the results', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const word = unique('melon').replaceAll('-', '');
  const one = await buildConversation(desk, { fan: { first_name: 'Ana' }, messages: [word] });
  await buildConversation(desk, { fan: { first_name: 'Ben' }, messages: [`${word} too`] });
  await buildReply(staff, one.id, { content: `I like ${word}` });
  const page = await desk.open(staff, { path: `/inbox/${one.id}` });
  await searchBox(page).fill(word);
  await page.getByRole('button', { name: `Search all messages for “${word}”` }).click();
  await expect(field(page)).toHaveValue(word);
  await expect(hits(page)).toHaveCount(3);
  await dialog(page).getByRole('button', { name: 'Filters' }).click();
  await dialog(page).getByLabel('Written by').selectOption('Fans');
  await expect(hits(page)).toHaveCount(2);
  await dialog(page).getByLabel('Fan', { exact: true }).selectOption('Ana');
  await expect(hits(page)).toHaveCount(1);
  await dialog(page).getByLabel('To', { exact: true }).fill('01/01/2020');
  await expect(dialog(page).getByText('No messages found')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
});

test('staff notes are found among the messages, marked as such, and lead to the note', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const word = unique('melon').replaceAll('-', '');
  const { id, fan } = await buildConversation(desk, { messages: [`I like ${word}`] });
  const left = await leaveNote(staff, id, `Never offer ${word} again`);
  for (let n = 1; n <= 60; n += 1)
    await buildFanMessage(desk, fan, { content: `Message number ${n}.` });
  await staff.client.call(markRead, { params: { id } });
  const page = await desk.open(staff);
  await openSearch(page);
  await field(page).fill(word);
  await expect(hits(page)).toHaveCount(2);
  const found = hits(page).filter({ hasText: 'Staff note' });
  await expect(found).toContainText(staff.admin.codename);
  await expect(found.locator('mark')).toHaveText(word);
  expect(await accessibilityIssues(page)).toEqual([]);
  await dialog(page).getByText('Messages', { exact: true }).click();
  await expect(hits(page)).toHaveCount(1);
  await expect(found).toHaveCount(0);
  await dialog(page).getByText('Staff Notes', { exact: true }).click();
  await expect(found).toHaveCount(1);
  await found.getByRole('link').click();
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/inbox/${id}\\?note=${left.id}`));
  await expect(note(page, `Never offer ${word} again`)).toBeInViewport();

  await openSearch(page);
  await field(page).fill('not a single match');
  await expect(dialog(page).getByText('No messages match “not a single match”.')).toBeVisible();
  await dialog(page).getByText('Staff Notes', { exact: true }).click();
  await expect(dialog(page).getByText('No staff notes match “not a single match”.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Filters' }).click();
  await dialog(page).getByLabel('To', { exact: true }).fill('01/01/2020');
  await expect(
    dialog(page).getByText(/match “not a single match” with these filters/),
  ).toBeVisible();
});

test('a failed search can be retried; a search that times out suggests a fix', async ({ desk }) => {
  const { staff } = await arrange(desk, 32);
  const page = await desk.open(staff, { prepare: withoutLiveWay });
  await page.route(/search\/messages/, (route) => route.abort());
  await openSearch(page);
  await field(page).fill('pineapple');
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to search');
  await page.unroute(/search\/messages/);
  await dialog(page).getByRole('button', { name: 'Retry' }).click();
  await expect(hits(page)).toHaveCount(1);
  const error = 'This search takes too long. Narrow it down: type more letters.';
  await page.route(/search\/messages/, (route) =>
    route.fulfill({ status: 422, json: { error, code: 'search_too_broad' } }),
  );
  await field(page).fill('number');
  await expect(dialog(page).getByRole('alert')).toContainText('Narrow it down');
});

test('a message deleted meanwhile says so, with a way back', async ({ desk }) => {
  const { staff, long } = await arrange(desk, 3);
  const page = await desk.open(staff, {
    path: `/inbox/${long.id}?message=${crypto.randomUUID()}`,
  });
  await expect(page.getByText('This message is no longer there.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to Newest' }).click();
  await expect(bubble(page, 'Message number 3.')).toBeInViewport();
});

for (const size of [DESKTOP, PHONE]) {
  test(`searching all messages has no serious accessibility issues (${size.name})`, async ({
    desk,
  }) => {
    const { staff, long } = await arrange(desk);
    const page = await desk.open(staff, size);
    await openSearch(page);
    expect(await accessibilityIssues(page)).toEqual([]);
    await field(page).fill('number 1');
    await dialog(page).getByRole('button', { name: 'Filters' }).click();
    await expect(hits(page).first()).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.goto(`/inbox/${long.id}?message=${long.messages[30]?.id}`);
    await expect(bubble(page, 'The pineapple of the thirtieth day')).toBeInViewport();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
