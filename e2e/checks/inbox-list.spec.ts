import type { Page } from '@playwright/test';
import { buildConversation, buildFanMessage } from '../../apps/server/test/factories.ts';
import { ownClock, stopClock, untilVisible } from '../support/clock.ts';
import { openLive } from '../support/conversation.ts';
import { tagFan } from '../support/furnish.ts';
import { expect, test } from '../support/journey.ts';
import { callsTo, holdCalls, withoutLiveWay } from '../support/network.ts';
import { row, rows, searchBox, tab, tile } from '../support/screens.ts';

const footer = (page: Page) => page.getByText(/^All conversations loaded/);

test('11: a row with four tags shows two and +2', async ({ desk }) => {
  const { fan } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await tagFan(desk, fan.id, ['VIP', 'Portugal', 'Third', 'Fourth']);
  const two = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  await tagFan(desk, two.fan.id, ['VIP', 'Portugal']);
  const page = await desk.open(await desk.hire());
  await expect(row(page, 'Ana').getByText('VIP')).toBeVisible();
  await expect(row(page, 'Ana').getByText('Portugal')).toBeVisible();
  await expect(row(page, 'Ana').getByText('+2', { exact: true })).toBeVisible();
  await expect(row(page, 'Ana')).not.toContainText(/Third|Fourth/);
  await expect(row(page, 'Ben')).toContainText('Portugal');
  await expect(row(page, 'Ben')).not.toContainText('+');
});

test('12: the inbox opens on the Unread tab', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Ben' }, messages: [] });
  const page = await desk.open(await desk.hire());
  await expect(rows(page)).toHaveText([/Ana/]);
  for (const name of ['Unread', 'Mine', 'All', 'Archived']) {
    await expect(tab(page, name)).toHaveAttribute('aria-selected', String(name === 'Unread'));
  }
});

test('13: one character makes no search call, two make one, and deleting restores the list', async ({
  desk,
}) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, {
    fan: { first_name: 'Ben' },
    messages: ['An old story of lighthouses', 'bye'],
  });
  // A live connection would refetch the list.
  const page = await desk.open(await desk.hire(), { prepare: withoutLiveWay });
  await expect(rows(page)).toHaveCount(2);
  const calls = callsTo(page, '/api/messages/admin/search');
  await searchBox(page).fill('a');
  await expect(rows(page)).toHaveCount(2);
  await searchBox(page).fill(' a ');
  await searchBox(page).fill('an');
  await expect(rows(page)).toHaveText([/Ana/]);
  expect(calls.map((query) => query.get('q'))).toEqual(['an']);
  await searchBox(page).pressSequentially(' old');
  await expect(rows(page)).toHaveText([/Ben.*lighthouses/]);
  await searchBox(page).fill('nothing like it');
  await expect(rows(page)).toHaveCount(0);
  const before = calls.length;
  await searchBox(page).fill('b');
  await expect(rows(page)).toHaveCount(2);
  await searchBox(page).fill('');
  await expect(rows(page)).toHaveCount(2);
  expect(calls).toHaveLength(before);
});

test('14: the next page loads 200 px before the end, once, and never while searching', async ({
  desk,
}) => {
  for (let number = 0; number < 25; number++) {
    await buildConversation(desk, { fan: { first_name: 'Ana' } });
  }
  const page = await desk.open(await desk.hire(), { prepare: withoutLiveWay });
  await expect(rows(page).first()).toBeVisible();
  const more = callsTo(page, '/api/messages/admin/inbox');
  const scroller = page.getByRole('tabpanel').locator('..');
  const letGo = await holdCalls(page, /admin\/inbox\?.*cursor=/);
  /** Scrolls to the given number of pixels above the end, and waits until the page has reacted. */
  const leave = (pixels: number) =>
    scroller.evaluate(async (element, left) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      element.scrollTop = element.scrollHeight - element.clientHeight - left;
      // Measured before the list adds its loading text below the rows.
      const isLeft = element.scrollHeight - element.clientHeight - element.scrollTop;
      for (let frames = 0; frames < 3; frames++) await frame();
      return isLeft;
    }, pixels);
  const asked = () => more.filter((query) => query.has('cursor')).length;

  await searchBox(page).fill('ana');
  await expect(page.getByText('25 results')).toBeVisible();
  await leave(0);
  await leave(300);
  await leave(0);
  await searchBox(page).fill('');
  await expect(page.getByText('25 results')).toBeHidden();
  expect(await leave(201)).toBe(201);
  expect(asked()).toBe(0);

  const call = page.waitForRequest(/admin\/inbox\?.*cursor=/);
  expect(await leave(200)).toBe(200);
  await call;
  await expect(page.getByText('Loading more conversations...')).toBeVisible();
  for (const left of [50, 0, 150, 0]) await leave(left);
  expect(asked()).toBe(1);
  letGo();
  await expect(page.getByText('Loading more conversations...')).toBeHidden();
  await leave(0);
  await expect(footer(page)).toHaveText('All conversations loaded (25 total)');
  expect(asked()).toBe(1);
});

test('15: the footer counts the loaded conversations and is hidden while searching', async ({
  desk,
}) => {
  const staff = await desk.hire();
  for (const first_name of ['Ana', 'Ben']) await buildConversation(desk, { fan: { first_name } });
  await buildConversation(desk, {
    fan: { first_name: 'Cleo' },
    messages: [],
    claimedBy: staff.admin,
  });
  const page = await desk.open(staff);
  await expect(footer(page)).toHaveText('All conversations loaded (2 total)');
  await tab(page, 'All').click();
  await expect(footer(page)).toHaveText('All conversations loaded (3 total)');
  await tab(page, 'Mine').click();
  await expect(footer(page)).toHaveText('All conversations loaded (1 total)');
  await tab(page, 'Unread').click();
  await searchBox(page).fill('ana');
  await expect(page.getByText('1 result in all conversations')).toBeVisible();
  await expect(footer(page)).toHaveCount(0);
  await searchBox(page).fill('');
  await expect(footer(page)).toHaveText('All conversations loaded (2 total)');
  await buildConversation(desk, { fan: { first_name: 'Dora' } });
  await expect(footer(page)).toHaveText('All conversations loaded (3 total)');
});

test('15: the Unread footer shows the same count as the badge while an opened row stays', async ({
  desk,
}) => {
  for (const first_name of ['Ana', 'Ben']) await buildConversation(desk, { fan: { first_name } });
  const page = await desk.open(await desk.hire());
  await expect(footer(page)).toHaveText('All conversations loaded (2 total)');
  await row(page, 'Ana').click();
  await expect(tab(page, 'Unread')).toHaveAccessibleName(/1/);
  await expect(row(page, 'Ana')).toBeVisible();
  await expect(footer(page)).toHaveText('All conversations loaded (1 total)');
});

test('16: an opened row stays in Unread until another one is selected', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const page = await desk.open(await desk.hire());
  await row(page, 'Ana').click();
  await expect(tile(page, 'Unread')).toHaveText('1');
  await expect(row(page, 'Ana, Hello there')).toBeVisible();
  await expect(rows(page)).toHaveText([/Ben/, /Ana/]);
  await row(page, 'Ben').click();
  await page.mouse.move(1_200, 400);
  await expect(rows(page)).toHaveText([/Ben/]);
});

test('28: the list stays still until the pointer over it has rested for 3 s, and shows the number of updates', async ({
  desk,
}) => {
  const first = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const { page } = await openLive(desk, await desk.hire(), { prepare: ownClock });
  await expect(rows(page)).toHaveText([/Ben/, /Ana/]);
  const box = await row(page, 'Ben').boundingBox();
  if (!box) throw new Error('no row');
  await stopClock(page);
  await page.mouse.move(box.x + 50, box.y + 20);
  await page.mouse.move(box.x + 60, box.y + 20);
  await buildFanMessage(desk, first.fan, { content: 'Me first' });
  const pill = page.getByRole('button', { name: '1 update' });
  await untilVisible(page, pill);
  await expect(rows(page)).toHaveText([/Ben/, /Ana.*Me first/]);
  await page.mouse.move(box.x + 70, box.y + 20);
  await page.clock.runFor(2_900);
  await expect(rows(page)).toHaveText([/Ben/, /Ana/]);
  await page.clock.runFor(200);
  await expect(rows(page)).toHaveText([/Ana/, /Ben/]);
  await expect(pill).toHaveCount(0);

  await page.mouse.move(box.x + 60, box.y + 20);
  await buildConversation(desk, { fan: { first_name: 'Cleo' } });
  await untilVisible(page, pill);
  await page.clock.resume();
  await pill.click();
  await expect(rows(page)).toHaveText([/Cleo/, /Ana/, /Ben/]);
});
