import type { Locator } from '@playwright/test';
import { REACTION_EMOJI } from '@stagedoor/contract/messages';
import { listFanMessages } from '@stagedoor/contract/platform';
import { buildConversation, buildFanMessage, buildReply } from '../apps/server/test/factories.ts';
import { until } from '../apps/server/test/until.ts';
import { action, openConversation as arrange } from './support/conversation.ts';
import { type Desk, expect, test } from './support/journey.ts';
import { bubble, composer, reply, row, tile } from './support/screens.ts';

async function contentsFor(desk: Desk, fan: string): Promise<string[]> {
  const { body } = await desk.platform.call(listFanMessages, { params: { fan } });
  return body.data.map(({ content }) => content).toReversed();
}

/** How far from the window's top something stands, once scrolling has come to rest. */
async function atRest(locator: Locator): Promise<number> {
  let last = Number.NaN;
  return until('scrolling has come to rest', async () => {
    const before = last;
    last = (await locator.boundingBox())?.y ?? Number.NaN;
    return last === before ? last : undefined;
  });
}

const setPrivilege = (desk: Desk, adminId: string, can_manage_messages: boolean) =>
  desk.db.kysely
    .updateTable('admins')
    .set({ can_manage_messages })
    .where('id', '=', adminId)
    .execute();

test('a reply shows at once, faded with a clock, and becomes the message without a second bubble', async ({
  desk,
}) => {
  const { page, way, fan } = await arrange(desk);
  way.deaf = true;
  await reply(page, 'On its way');
  const sending = bubble(page, 'On its way');
  await expect(sending.getByRole('img', { name: 'Sending' })).toBeVisible();
  const opacity = await sending.getByText('On its way').evaluate((element) => {
    let value = 1;
    for (let at: Element | null = element; at; at = at.parentElement)
      value *= Number(getComputedStyle(at).opacity);
    return value;
  });
  expect(opacity).toBeLessThan(1);
  await expect(composer(page)).toHaveValue('');
  await composer(page).fill('typing is never blocked');
  const before = await sending.boundingBox();
  await expect(sending.getByRole('time')).toBeVisible();
  await expect(sending).toHaveCount(1);
  const after = await sending.boundingBox();
  expect([after?.width, after?.height]).toEqual([before?.width, before?.height]);
  await expect(composer(page)).toHaveValue('typing is never blocked');
  expect(await contentsFor(desk, fan.external_id)).toEqual(['Hello there', 'On its way']);
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

test('a refused reply shows the server’s text with Retry, which sends it once', async ({
  desk,
}) => {
  const { page, staff, fan } = await arrange(desk);
  await setPrivilege(desk, staff.admin.id, false);
  await reply(page, 'Please let me');
  const refused = bubble(page, 'Please let me');
  await expect(refused.getByRole('alert')).toHaveText(
    'You do not have message privileges. Ask a manager to grant them.',
  );
  await setPrivilege(desk, staff.admin.id, true);
  await refused.getByRole('button', { name: 'Retry' }).click();
  await expect(refused.getByRole('time')).toBeVisible();
  await expect(refused).toHaveCount(1);
  expect(await contentsFor(desk, fan.external_id)).toEqual(['Hello there', 'Please let me']);
});

test('an answer quotes fifty characters, and its quote leads to the message, which stands out for two seconds', async ({
  desk,
}) => {
  const long = 'The quick brown fox jumps over the lazy dog, and then it rests';
  const { page } = await arrange(desk, [
    long,
    ...Array.from({ length: 30 }, (_, index) => `Filler ${index}`),
  ]);
  await page.getByRole('log').hover();
  await expect(async () => {
    await page.mouse.wheel(0, -3_000);
    await bubble(page, long).hover({ timeout: 300 });
  }).toPass();
  await action(page, long, 'Reply').click();
  const cut = 'The quick brown fox jumps over the lazy dog, and t...';
  await expect(page.getByText(cut)).toBeVisible();
  await reply(page, 'Good dog');
  const quote = bubble(page, 'Good dog').getByRole('button', { name: cut });
  await expect(quote).toBeVisible();
  await quote.click();
  const original = page.getByRole('article').filter({ hasText: 'and then it rests' });
  const isMarked = () =>
    original
      .evaluate((article) =>
        [...article.querySelectorAll('*')].some((element) => {
          const { boxShadow } = getComputedStyle(element);
          return /0px 0px 0px [1-9]/.test(boxShadow);
        }),
      )
      .catch(() => false);
  await expect.poll(isMarked, { intervals: [20] }).toBe(true);
  const since = Date.now();
  await expect(original).toBeInViewport();
  await expect.poll(isMarked, { intervals: [20] }).toBe(false);
  expect(Date.now() - since).toBeGreaterThan(1_500);
  expect(Date.now() - since).toBeLessThan(3_000);
});

test('exactly the fourteen emoji are offered; one’s own reaction is toggled, replaced and removed', async ({
  desk,
}) => {
  const { page, id, messages } = await arrange(desk);
  const choose = async (emoji: string) => {
    await bubble(page, 'Hello there').hover();
    await action(page, 'Hello there', 'React').click();
    await page.getByRole('dialog').getByRole('button', { name: emoji, exact: true }).click();
  };
  await bubble(page, 'Hello there').hover();
  await action(page, 'Hello there', 'React').click();
  const offered = page
    .getByRole('dialog')
    .getByRole('group', { name: 'Reactions' })
    .getByRole('button');
  await expect(offered).toHaveText([...REACTION_EMOJI]);
  await expect(page.getByRole('button', { name: 'Remove reaction' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await choose('🔥');
  const chip = (name: string) =>
    bubble(page, 'Hello there').getByRole('button', { name, exact: true });
  await expect(chip('🔥 1, yours')).toBeVisible();
  const colleague = await desk.hire();
  const other = await desk.open(colleague, { path: `/inbox/${id}` });
  await expect(
    bubble(other, messages[0]?.content ?? '').getByRole('button', { name: '🔥 1', exact: true }),
  ).toBeVisible();
  await choose('❤️');
  await expect(chip('❤️ 1, yours')).toBeVisible();
  await expect(chip('🔥 1, yours')).toHaveCount(0);
  await chip('❤️ 1, yours').click();
  await expect(chip('❤️ 1, yours')).toHaveCount(0);
  await expect(
    bubble(other, 'Hello there').getByRole('button', { name: /^(🔥|❤️) \d/ }),
  ).toHaveCount(0);
});

test('what was in view for a second is read, and loses its badge for everyone', async ({
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

test('a draft survives a reload and a visit elsewhere, and never reaches another fan', async ({
  desk,
}) => {
  const { page, id } = await arrange(desk);
  const other = await buildConversation(desk, { fan: { first_name: 'Ben' } });
  await composer(page).fill('Dear Ana, I was about to');
  await row(page, 'Ben').click();
  await expect(page.getByText('To Ben')).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await composer(page).fill('Ben, hello');
  await page.goto(`/inbox/${id}`);
  await expect(composer(page)).toHaveValue('Dear Ana, I was about to');
  await expect(page.getByText('To Ana')).toBeVisible();
  await page.goto(`/inbox/${other.id}`);
  await expect(composer(page)).toHaveValue('Ben, hello');
  await composer(page).press('Enter');
  await expect(bubble(page, 'Ben, hello').getByRole('time')).toBeVisible();
  await page.reload();
  await expect(bubble(page, 'Ben, hello')).toBeVisible();
  await expect(composer(page)).toHaveValue('');
});

test('while older messages are loaded above, what one reads stays where it is', async ({
  desk,
}) => {
  const { page } = await arrange(
    desk,
    Array.from({ length: 90 }, (_, index) => `Message ${index + 1} of many`),
  );
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/messages\?.*before=/, async (route) => {
    await held;
    await route.continue();
  });
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
  // The message that stood first may turn out to continue its author's group, which takes its space above.
  expect(Math.abs((await atRest(anchor)) - before)).toBeLessThanOrEqual(12);
  await expect(async () => {
    await page.mouse.wheel(0, -1_500);
    await expect(bubble(page, 'Message 1 of many')).toBeVisible({ timeout: 200 });
  }).toPass();
});

test('who may not manage messages reads, and is told why there is nothing to write in', async ({
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

test('a colleague’s answer in the middle of a draft stops its first sending only', async ({
  desk,
}) => {
  const { page, id } = await arrange(desk);
  await composer(page).pressSequentially('Hi Ana');
  await buildReply(await desk.hire(), id, { content: 'A colleague was faster' });
  await expect(bubble(page, 'A colleague was faster')).toBeVisible();
  await composer(page).press('Enter');
  await expect(page.getByText('A teammate just replied. Send anyway?')).toBeVisible();
  await expect(bubble(page, 'Hi Ana')).toHaveCount(0);
  await page.getByRole('button', { name: 'Send anyway' }).click();
  await expect(bubble(page, 'Hi Ana').getByRole('time')).toBeVisible();
});

test('a conversation that can’t be loaded says so, and Retry loads it', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  let isBroken = true;
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: (opened) =>
      opened.route(/conversation\/[^/]+\/messages/, (route) =>
        isBroken ? route.fulfill({ status: 500, body: '' }) : route.continue(),
      ),
  });
  await expect(page.getByText('Loading conversation...')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to load messages' })).toBeVisible({
    timeout: 20_000,
  });
  isBroken = false;
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(bubble(page, 'Hello there')).toBeVisible();
});
