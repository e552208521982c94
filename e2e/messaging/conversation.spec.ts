import type { Locator } from '@playwright/test';
import { buildConversation, buildFanMessage } from '../../apps/server/test/factories.ts';
import { action, openConversation as arrange, contentsFor } from '../support/conversation.ts';
import { expect, test } from '../support/journey.ts';
import { gate, holdCalls } from '../support/network.ts';
import { bubble, composer, reply, row, tile } from '../support/screens.ts';

/** Returns an element's distance from the top of the window after scrolling has stopped: it is the same in ten frames. */
const atRest = (locator: Locator): Promise<number> =>
  locator.evaluate(async (element) => {
    let last = Number.NaN;
    for (let same = 0; same < 10; ) {
      await new Promise(requestAnimationFrame);
      const { y } = element.getBoundingClientRect();
      same = y === last ? same + 1 : 0;
      last = y;
    }
    return last;
  });

test('Enter sends trimmed text, Shift+Enter breaks the line, and blank text is not sent', async ({
  desk,
}) => {
  const { page, fan } = await arrange(desk);
  await reply(page, '   ');
  await composer(page).fill('  one');
  await composer(page).press('Shift+Enter');
  await composer(page).pressSequentially('two  ');
  await composer(page).press('Enter');
  await expect(bubble(page, 'two').getByRole('time')).toBeVisible();
  expect(await contentsFor(desk, fan.external_id)).toEqual(['Hello there', 'one\ntwo']);
  await composer(page).fill('by the button');
  await page.getByRole('button', { name: 'Send to Ana' }).click();
  await expect(bubble(page, 'by the button').getByRole('time')).toBeVisible();
});

test('a message visible for a second is read, and loses its badge for everyone', async ({
  desk,
}) => {
  const watcher = await desk.open(await desk.hire());
  const { page, fan } = await arrange(desk, ['one', 'two']);
  await expect(row(page, 'Ana, two')).toBeVisible();
  await expect(tile(watcher, 'Unread')).toHaveText('0');
  await expect(watcher.getByText('No conversations yet')).toBeVisible();
  await buildFanMessage(desk, fan, { content: 'three' });
  await expect(bubble(page, 'three')).toBeVisible();
  await expect(row(page, 'Ana, three')).toBeVisible();
  await expect(tile(watcher, 'Unread')).toHaveText('0');
});

test('marking messages as read is retried after an error', async ({ desk }) => {
  let failures = 1;
  const { page } = await arrange(desk, ['one'], (opened) =>
    opened.route(/\/conversation\/[^/]+\/read$/, (route) =>
      failures-- > 0 ? route.fulfill({ status: 503 }) : route.continue(),
    ),
  );
  await expect(row(page, 'Ana, one')).toBeVisible();
  await expect.poll(() => failures).toBe(-1);
  await expect(page.getByRole('tab', { name: 'Unread' })).toHaveAccessibleName('Unread');
});

test('the scroll position stays while older messages load above', async ({ desk }) => {
  const { page } = await arrange(
    desk,
    Array.from({ length: 90 }, (_, index) => `Message ${index + 1} of many`),
  );
  const letGo = await holdCalls(page, /messages\?.*before=/);
  await page.getByRole('log').hover();
  const asked = page.waitForRequest(/messages\?.*before=/);
  await expect(async () => {
    await page.mouse.wheel(0, -1_500);
    await expect(page.getByText('Loading older messages...')).toBeVisible({ timeout: 200 });
  }).toPass();
  await asked;
  const anchor = bubble(page, 'Message 45 of many');
  await expect(anchor).toBeInViewport();
  const before = await atRest(anchor);
  letGo();
  await expect(page.getByText('Loading older messages...')).toBeHidden();
  await expect(anchor).toBeInViewport();
  // Once older messages are above it, the first message may continue its author's group, which removes the space above it.
  expect(Math.abs((await atRest(anchor)) - before)).toBeLessThanOrEqual(12);
  await expect(async () => {
    await page.mouse.wheel(0, -1_500);
    await expect(bubble(page, 'Message 1 of many')).toBeVisible({ timeout: 200 });
  }).toPass();
});

test('older messages still load if the console refreshes meanwhile', async ({ desk }) => {
  const texts = Array.from({ length: 90 }, (_, index) => `Message ${index + 1} of many`);
  const { page, way } = await arrange(desk, texts);
  const letGo = await holdCalls(page, /messages\?.*before=/);
  await page.getByRole('log').hover();
  await expect(async () => {
    await page.mouse.wheel(0, -1_500);
    await expect(page.getByText('Loading older messages...')).toBeVisible({ timeout: 200 });
  }).toPass();
  const refreshed = page.waitForResponse(/messages\?limit=\d+$/);
  await way.cut();
  way.restore();
  await (await refreshed).finished();
  letGo();
  await expect(async () => {
    await page.mouse.wheel(0, -1_500);
    await expect(bubble(page, 'Message 1 of many')).toBeVisible({ timeout: 200 });
  }).toPass({ timeout: 30_000 });
});

test('staff without message privileges can read, and see why there is no text field', async ({
  desk,
}) => {
  const reader = await desk.hire({ can_manage_messages: false });
  const { id } = await buildConversation(desk);
  const page = await desk.open(reader, { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await expect(
    page.getByRole('paragraph').filter({
      hasText: 'You do not have message privileges. Ask a manager to grant them.',
    }),
  ).toBeVisible();
  await expect(composer(page)).toHaveCount(0);
  await bubble(page, 'Hello there').hover();
  await expect(action(page, 'Hello there', 'React')).toHaveCount(0);
});

test('a conversation that fails to load says so, and Retry loads it', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  let isBroken = true;
  const { held, letGo } = gate();
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: (opened) =>
      opened.route(/conversation\/[^/]+\/messages/, async (route) => {
        await held;
        await (isBroken ? route.fulfill({ status: 500, body: '' }) : route.continue());
      }),
  });
  await expect(page.getByText('Loading conversation...')).toBeVisible();
  letGo();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Failed to load messages' }),
  ).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(bubble(page, 'Hello there')).toBeVisible();
});
