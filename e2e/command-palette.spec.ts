import type { Page } from '@playwright/test';
import { buildConversation, buildFanMessage } from '../apps/server/test/factories.ts';
import { accessibilityIssues } from './support/accessibility-issues.ts';
import { stopClock } from './support/clock.ts';
import { openConversation } from './support/conversation.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from './support/journey.ts';
import { gate } from './support/network.ts';
import { bubble, button, composer, row, tab } from './support/screens.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command Palette' });
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Command or fan' });
const options = (page: Page) => palette(page).getByRole('option');
const active = (page: Page) => palette(page).getByRole('option', { selected: true });
const opener = (page: Page) => button(page, 'Commands');
const shortcuts = (page: Page) => page.getByRole('dialog', { name: 'Keyboard Shortcuts' });

async function openAna(desk: Desk) {
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire({ role: 'manager' }), { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  return page;
}

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(text);
}

test('the palette runs commands by keyboard alone, even while a reply is being written', async ({
  desk,
}) => {
  const page = await openAna(desk);
  await composer(page).fill('A draft');
  await type(page, 'arch');
  await expect(options(page)).toHaveText([/^Archive\s*Conversation\s*E$/, /^Archived\s*Show\s*4$/]);
  await expect(active(page)).toHaveAccessibleName(/^Archive\b/);
  await expect(field(page)).toHaveAttribute(
    'aria-activedescendant',
    (await active(page).getAttribute('id')) ?? '',
  );
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toHaveAccessibleName(/^Archived\b/);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Unarchive' })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue('A draft');

  // Commands used last come first.
  await page.keyboard.press('Control+k');
  const recent = palette(page).getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect(recent).toHaveCount(0);
  await page.keyboard.type('undo');
  await page.keyboard.press('Enter');
  await expect(button(page, 'Archive')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(recent).toHaveText([/^Archive/]);
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toBeHidden();
});

test('the palette finds fans from two characters on, the latest query wins, and Enter opens one', async ({
  desk,
}) => {
  await buildConversation(desk, { fan: { first_name: 'Zora', username: 'zora.sings' } });
  await buildConversation(desk, { fan: { first_name: 'Zoltan' } });
  const page = await openAna(desk);
  const asked: (string | null)[] = [];
  const { held, letGo } = gate();
  await page.route(/\/admin\/search/, async (route) => {
    const q = new URL(route.request().url()).searchParams.get('q');
    asked.push(q);
    if (q === 'zo') await held;
    await route.continue().catch(() => undefined);
  });
  await type(page, '🎸');
  await expect(palette(page).getByText('Keep typing to find fans...')).toBeVisible();
  await field(page).fill('z');
  await expect(palette(page).getByText('Keep typing to find fans...')).toBeVisible();
  await page.keyboard.type('o');
  await expect.poll(() => asked).toEqual(['zo']);
  await expect(palette(page).getByRole('status')).toHaveText('Searching fans...');
  // Inserts both letters at once: if they were typed, a pause between them could start a search.
  await page.keyboard.insertText('ra');
  await expect(options(page)).toHaveText([/Zora/]);
  letGo();
  await expect(options(page)).toHaveText([/Zora/]);
  // The page repeats a search if its live connection opens during the search.
  expect([...new Set(asked)]).toEqual(['zo', 'zora']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Zora' })).toBeVisible();
  await expect(composer(page)).toBeFocused();
  // The first suggestion is the previous conversation.
  await page.keyboard.press('Control+k');
  await expect(active(page)).toHaveAccessibleName(/^Ana\b/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Ana' })).toBeVisible();
});

test('the previous conversation is still offered after a lost connection', async ({ desk }) => {
  const { fan } = await buildConversation(desk, { fan: { first_name: 'Zora' } });
  // `openConversation` marks more than five messages as read, which keeps Ana out of the list of unread conversations.
  const messages = Array.from({ length: 6 }, (_, at) => `Message ${at}`);
  const { page, way } = await openConversation(desk, messages);
  await row(page, 'Zora').click();
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await way.cut();
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  await buildFanMessage(desk, fan, { content: 'Are you there?' });
  way.restore();
  await expect(bubble(page, 'Are you there?')).toBeVisible();
  await expect(row(page, 'Ana')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(active(page)).toHaveAccessibleName(/^Ana\b/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Ana' })).toBeVisible();
  await expect(bubble(page, 'Message 5')).toBeVisible();
});

test('the palette shows when it finds nothing or fails, and retries', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Zora' } });
  const page = await openAna(desk);
  await type(page, 'xyzzy');
  await expect(palette(page).getByText('No matching commands or fans')).toBeVisible();
  await page.route(/\/admin\/search/, (route) => route.fulfill({ status: 422, json: {} }));
  await field(page).fill('zora');
  await expect(palette(page).getByText('Failed to search')).toBeVisible();
  await page.unroute(/\/admin\/search/);
  await expect(async () => {
    // The page retries automatically if the live connection opens before the click.
    const retry = palette(page).getByRole('button', { name: 'Retry' });
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
    await expect(options(page)).toHaveText([/Zora/], { timeout: 1_000 });
  }).toPass();
});

test('forbidden commands are neither in the palette nor on a shortcut', async ({ desk }) => {
  const { id } = await buildConversation(desk);
  const reader = await desk.hire({ can_manage_messages: false });
  const page = await desk.open(reader, { path: `/inbox/${id}` });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('option', { name: /^Manage Tags\b/ })).toBeVisible();
  for (const name of ['Claim', 'Archive', 'Send Product', 'Reply', 'Console', 'Products']) {
    await expect(
      palette(page).getByRole('option', { name: new RegExp(`^${name}\\b`) }),
    ).toHaveCount(0);
  }
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(shortcuts(page).getByRole('term').filter({ hasText: 'Manage Tags' })).toBeVisible();
  for (const name of ['Claim or Release', 'Send Product', 'Console', 'Search Products']) {
    await expect(shortcuts(page).getByRole('term').filter({ hasText: name })).toHaveCount(0);
  }
  await page.keyboard.press('Escape');
  // The second key of an unknown sequence does nothing on its own.
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/inbox/${id}$`));
});

test('G and a second key switch between pages, and a hint lists the keys', async ({ desk }) => {
  const page = await openAna(desk);
  await expect(opener(page)).toBeVisible();
  await page.clock.install();
  await stopClock(page);
  const hint = page.getByRole('status').filter({ hasText: 'then' });
  await page.keyboard.press('g');
  await expect(hint).toHaveText(/G\s*then\s*I\s*Inbox\s*C\s*Console\s*P\s*Products/);
  await page.keyboard.press('p');
  await expect(page).toHaveURL(/\/products$/);
  await expect(hint).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await expect(page).toHaveURL(/\/console$/);
  await page.keyboard.press('g');
  await expect(hint).toBeVisible();
  await page.clock.runFor(3_000);
  await expect(hint).toHaveCount(0);
  await page.keyboard.press('i');
  await expect(page).toHaveURL(/\/console$/);
  await page.clock.resume();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expect(page).toHaveURL(/\/inbox$/);
  await expect(tab(page, 'Unread')).toBeVisible();
});

test('the list of shortcuts contains those of every screen', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  const page = await desk.open(manager, { path: '/console' });
  await expect(page.getByRole('heading', { name: 'Admin Console' })).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('?');
    await expect(shortcuts(page)).toBeVisible({ timeout: 500 });
  }).toPass();
  for (const name of ['Move Down', 'Claim or Release', 'Undo', 'Search Products', 'Inbox']) {
    await expect(
      shortcuts(page)
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${name}$`) }),
    ).toBeAttached();
  }
});

for (const size of [DESKTOP, PHONE]) {
  test(`the palette and shortcuts have no serious accessibility issues (${size.name})`, async ({
    desk,
  }) => {
    await buildConversation(desk, { fan: { first_name: 'Zora' } });
    const page = await desk.open(await desk.hire({ role: 'manager' }), size);
    if (size === PHONE) await button(page, 'More').tap();
    const entry = page.getByRole('menuitem', { name: 'Command Palette' });
    await entry.or(opener(page)).click();
    await expect(field(page)).toBeFocused();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.keyboard.type('zo');
    await expect(options(page)).toHaveText([/Zora/]);
    expect(await accessibilityIssues(page)).toEqual([]);
    if (size === PHONE) expect((await palette(page).boundingBox())?.width).toBe(size.width);
    await field(page).fill('keyboard');
    await options(page).first().click();
    await expect(shortcuts(page)).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
