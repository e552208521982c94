import { markRead } from '@stagedoor/contract/inbox/conversations';
import { buildConversation, buildFan, buildFanMessage } from '../../apps/server/test/factories.ts';
import { ownClock, stopClock, untilVisible } from '../support/clock.ts';
import { openLive } from '../support/conversation.ts';
import { tagFan } from '../support/furnish.ts';
import { expect, PHONE, test } from '../support/journey.ts';
import { callsTo, gate, withoutLiveWay } from '../support/network.ts';
import { row, rows, searchBox, tab, thread, tile } from '../support/screens.ts';

test('the tiles, the tabs and their counts show the inbox’s state and update live', async ({
  desk,
}) => {
  const staff = await desk.hire();
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, {
    fan: { first_name: 'Ben' },
    messages: [],
    claimedBy: staff.admin,
  });
  await buildConversation(desk, { fan: { first_name: 'Cleo' }, messages: [], status: 'archived' });
  const page = await desk.open(staff);
  await expect(tile(page, 'Total')).toHaveText('3');
  await expect(tile(page, 'Unread')).toHaveText('1');
  await expect(tile(page, 'Today')).toHaveText('1');
  await expect(tab(page, 'Unread')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(page, 'Unread')).toHaveText('Unread1');
  await expect(tab(page, 'Mine')).toHaveText('Mine1');
  await expect(rows(page)).toHaveText([/Ana/]);
  for (const [name, shown] of [
    ['Mine', [/Ben/]],
    ['Archived', [/Cleo/]],
    ['All', [/Ana/, /Ben|Cleo/, /Ben|Cleo/]],
  ] as const) {
    await tab(page, name).click();
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true');
    await expect(rows(page)).toHaveText([...shown]);
  }
  await buildConversation(desk, { fan: { first_name: 'Dora' } });
  await expect(tile(page, 'Total')).toHaveText('4');
  await expect(tab(page, 'Unread')).toHaveText('Unread2');
});

test('the tiles keep up with a continuous stream of messages', async ({ desk }) => {
  const { fan } = await buildConversation(desk, { fan: { first_name: 'Ana' }, messages: [] });
  const { page } = await openLive(desk, await desk.hire(), { prepare: ownClock });
  await tab(page, 'All').click();
  await expect(row(page, 'Ana')).toBeVisible();
  await stopClock(page);
  // Lets the refresh after connecting finish.
  await page.clock.runFor(5_000);
  const fetched = callsTo(page, '/api/messages/admin/stats');
  for (let number = 1; number <= 5; number += 1) {
    await buildFanMessage(desk, fan, { content: `Message ${number}` });
    await untilVisible(page, row(page, 'Ana').getByText(`Message ${number}`));
    await page.clock.runFor(600);
  }
  // The page's clock is stopped, but Playwright may report the request with a delay.
  await expect.poll(() => fetched.length).toBeGreaterThan(0);
});

test('a row shows the fan, the last message, the unread count, the tags and the claimant', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const tagged = await buildConversation(desk, {
    fan: { first_name: 'Ana', last_name: 'Silva' },
    messages: ['One', 'Two'],
  });
  await tagFan(desk, tagged.fan.id, ['VIP', 'Portugal', 'Third', 'Fourth']);
  await buildConversation(desk, { fan: { first_name: 'Ben' }, claimedBy: staff.admin });
  await buildConversation(desk, { fan: { first_name: 'Cleo' }, status: 'flagged' });
  await buildFan(desk, { first_name: null, username: 'quiet.one' });
  const page = await desk.open(staff);
  await tab(page, 'All').click();
  await expect(row(page, 'Ana Silva, 2 unread, Two, Just now')).toContainText('VIP');
  await expect(row(page, 'Ben')).toContainText('👤 Claimed');
  await expect(row(page, 'Cleo, 1 unread, flagged')).toBeVisible();
  await expect(row(page, 'quiet.one')).toContainText('No messages yet');
  await row(page, 'quiet.one').click();
  await expect(thread(page).locator('..')).toHaveText('No messages yet');
});

test('a list whose rows have all left still loads its other pages before it says that it is empty', async ({
  desk,
}) => {
  test.slow();
  const staff = await desk.hire();
  const last = await buildConversation(desk, { fan: { first_name: 'Zoe' } });
  const ids: string[] = [];
  for (let count = 0; count < 20; count += 1) ids.push((await buildConversation(desk)).id);
  const { held, letGo } = gate();
  let pages = 0;
  const { page } = await openLive(desk, staff, {
    async prepare(opened) {
      // Lets only the first page through. If it were refetched, it would contain the last conversation.
      await opened.route(/\/inbox\?/, async (route) => {
        pages += 1;
        if (pages > 1) await held;
        await route.continue();
      });
    },
  });
  await expect(tab(page, 'Unread')).toHaveAccessibleName(/21/);
  await expect(rows(page).first()).toBeVisible();
  for (const id of ids) await staff.client.call(markRead, { params: { id } });
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByText('Loading conversations...')).toBeVisible();
  await expect(page.getByText('No conversations yet')).toHaveCount(0);
  letGo();
  await expect(row(page, 'Zoe')).toBeVisible();
  await staff.client.call(markRead, { params: { id: last.id } });
  await expect(page.getByText('No conversations yet')).toBeVisible();
});

test('Enter presses the focused button, and opens a conversation only from its row', async ({
  desk,
}) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire());
  await row(page, 'Ana').hover();
  const check = page.getByRole('checkbox', { name: 'Select Ana' });
  await check.press('Enter');
  await expect(check).toBeChecked();
  await expect(page).toHaveURL(/\/inbox$/);
  await expect(row(page, 'Ana, 1 unread')).toBeVisible();
  await tab(page, 'Mine').click();
  await page.getByRole('button', { name: 'View All' }).press('Enter');
  await expect(tab(page, 'All')).toHaveAttribute('aria-selected', 'true');
  await row(page, 'Ana').press('Enter');
  await expect(page.getByRole('heading', { name: 'Ana', exact: true })).toBeVisible();
});

test('a failed search says so, and Retry repeats it', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  await buildConversation(desk, { fan: { first_name: 'Ben' }, messages: ['hello', 'bye'] });
  const page = await desk.open(await desk.hire(), { prepare: withoutLiveWay });
  await expect(rows(page)).toHaveCount(2);
  await page.route(/\/admin\/search/, (route) => route.fulfill({ status: 422, json: {} }));
  await searchBox(page).fill('bye');
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to search' });
  await expect(failed).toBeVisible();
  await page.unroute(/\/admin\/search/);
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(rows(page)).toHaveText([/Ben/]);
});

test('a list shows complete rows after fast scrolling stops', async ({ desk }) => {
  for (let count = 0; count < 60; count += 1) {
    const number = String(count).padStart(2, '0');
    await buildConversation(desk, { fan: { first_name: `Fan ${number}`, last_name: null } });
  }
  const page = await desk.open(await desk.hire());
  const footer = page.getByText('All conversations loaded (60 total)');
  await page.getByRole('tabpanel').hover();
  await expect(async () => {
    await page.mouse.wheel(0, 5_000);
    await expect(footer).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.evaluate(async () => {
    const scroller = document.querySelector('div:has(> [role="tabpanel"])');
    for (let top = scroller?.scrollTop ?? 0; scroller && top > 0; top -= 400) {
      scroller.scrollTop = Math.max(0, top);
      await new Promise(requestAnimationFrame);
    }
  });
  const first = rows(page).first();
  await expect(first).toHaveAccessibleName(/^Fan \d\d, 1 unread, Hello there, /);
  const checkboxes = page.getByRole('checkbox');
  await expect.poll(async () => (await rows(page).count()) - (await checkboxes.count())).toBe(0);
});

test('the list shows that more is loading, and a rate limit shows no error', async ({ desk }) => {
  for (let number = 1; number <= 25; number++) await buildConversation(desk);
  const page = await desk.open(await desk.hire());
  await expect(rows(page).first()).toBeVisible();
  let refusals = 0;
  await page.route(/admin\/inbox\?.*cursor=/, async (route) => {
    refusals++;
    if (refusals > 1) return route.continue();
    return route.fulfill({
      status: 429,
      headers: { 'retry-after': '1' },
      json: { error: 'Slow down', code: 'rate_limited' },
    });
  });
  await page.getByRole('list', { name: 'Conversations' }).hover();
  await page.mouse.wheel(0, 5_000);
  await expect.poll(() => refusals).toBeGreaterThan(0);
  await expect(page.getByText('Slow down')).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(async () => {
    await page.mouse.wheel(0, -400);
    await page.mouse.wheel(0, 5_000);
    await expect(page.getByText('All conversations loaded (25 total)')).toBeVisible({
      timeout: 500,
    });
  }).toPass();
});

test('an inbox that fails to load says why, and Retry loads it', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  let body = { error: 'The database is on holiday', code: 'unavailable' };
  let isBroken = true;
  const { held, letGo } = gate();
  const page = await desk.open(await desk.hire(), {
    prepare: (opened) =>
      opened.route(/admin\/inbox/, async (route) => {
        await held;
        await (isBroken ? route.fulfill({ status: 503, json: body }) : route.continue());
      }),
  });
  await expect(page.getByText('Loading conversations...')).toBeVisible();
  letGo();
  await expect(
    page.getByRole('alert').filter({ hasText: 'The database is on holiday' }),
  ).toBeVisible();
  body = { error: '', code: '' };
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to load inbox' })).toBeVisible();
  // Uses the keyboard, because an automatic retry of the list could remove the button before a click.
  await page.getByRole('button', { name: 'Retry' }).focus();
  isBroken = false;
  await page.keyboard.press('Enter');
  await expect(row(page, 'Ana')).toBeVisible();
});

test('a missing conversation redirects to the inbox, with a warning in the log', async ({
  desk,
}) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const staff = await desk.hire();
  for (const path of [`/inbox/${crypto.randomUUID()}`, '/inbox/nonsense', '/messages/nonsense']) {
    const warnings: string[] = [];
    const page = await desk.open(staff, {
      path,
      prepare: async (opened) => {
        opened.on('console', (message) => {
          if (message.type() === 'warning') warnings.push(message.text());
        });
      },
    });
    await expect(page).toHaveURL(/\/inbox$/);
    await expect(row(page, 'Ana')).toBeVisible();
    expect(warnings.some((text) => text.includes('not found'))).toBe(true);
  }
});

test('on a phone a conversation fills the screen, and Back returns to the inbox', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk, {
    fan: { first_name: 'Ana' },
    messages: ['Long '.repeat(100), 'x'.repeat(500)],
  });
  const page = await desk.open(await desk.hire(), PHONE);
  const scrollsSideways = () =>
    page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  // A row of Unread leaves once its messages have been visible for a second.
  await tab(page, 'All').tap();
  await expect(row(page, 'Ana')).toBeVisible();
  expect(await scrollsSideways()).toBe(false);
  await row(page, 'Ana').tap();
  await expect(page).toHaveURL(new RegExp(`/messages/${id}$`));
  await expect(page.getByRole('log')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Conversations' })).toBeHidden();
  expect(await scrollsSideways()).toBe(false);
  await page.getByRole('button', { name: /^Back/ }).tap();
  await expect(page).toHaveURL(/\/inbox$/);
  await expect(row(page, 'Ana')).toBeVisible();
});
