import type { Locator, Page } from '@playwright/test';
import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { buildConversation } from '../apps/server/test/factories.ts';
import { buildProduct } from '../apps/server/test/worlds/catalogue.ts';
import { type Desk, expect, type OpenOptions, test } from './support/journey.ts';
import { speaking } from './support/languages.ts';
import { bubble, button, dialog, listMenu, thread } from './support/screens.ts';

/** A small laptop's window at 200 % zoom. */
const ZOOMED = { width: 640, height: 360 };

const overlay = (page: Page) => page.locator('[popover="auto"]:popover-open');
const tooltips = (page: Page) => page.locator('[popover="manual"][aria-hidden]:popover-open');

async function openAna(desk: Desk, options: OpenOptions = {}) {
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire({ role: 'manager' }), {
    path: `/inbox/${id}`,
    ...options,
  });
  await expect(bubble(page, 'Hello there')).toBeVisible();
  return page;
}

/** Returns which sides of an overlay are outside the window. */
const outside = (element: Locator) =>
  element.evaluate((panel) => {
    const { top, left, right, bottom } = panel.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    return {
      top: top < 0,
      left: left < 0,
      right: right > clientWidth,
      bottom: bottom > clientHeight,
    };
  });
const NOTHING = { top: false, left: false, right: false, bottom: false };

/** Waits two frames, so that anything that opens on focus or shortly after is visible. */
const settle = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

test('at 640 × 360 every item of Settings can be clicked', async ({ desk }) => {
  const page = await desk.open(await desk.hire(), ZOOMED);
  for (const name of ['Templates', 'Scheduled Messages', 'Notifications', 'Passkeys', 'Sessions']) {
    await button(page, 'Settings').click();
    await expect.poll(() => outside(overlay(page))).toEqual(NOTHING);
    await overlay(page)
      .getByRole('button', { name: `${name}...` })
      .click();
    await expect(dialog(page, name)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page, name)).toBeHidden();
  }
});

test('popovers and menus stay inside a shrinking window, in both text directions', async ({
  desk,
}) => {
  for (const language of ['en', 'ar']) {
    const page = await openAna(desk, {
      prepare: speaking(language),
    });
    const triggers = page.locator('button[popovertarget]:visible');
    await expect(triggers).not.toHaveCount(0);
    for (let index = 0; index < (await triggers.count()); index += 1) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await triggers.nth(index).click();
      await expect(overlay(page)).toBeVisible();
      await expect.poll(() => outside(overlay(page))).toEqual(NOTHING);
      await page.setViewportSize({ width: 1024, height: 240 });
      await expect.poll(() => outside(overlay(page))).toEqual(NOTHING);
      await page.keyboard.press('Escape');
      await expect(overlay(page)).toBeHidden();
    }
  }
});

test('a popover with lazy content moves so that all of it is in the window', async ({ desk }) => {
  const manager = await desk.hire({ role: 'manager' });
  for (let count = 0; count < 12; count += 1)
    await manager.client.call(createGlobalTag, {
      body: { label: `Tag ${count}`, color: '#4251D4' },
    });
  const page = await desk.open(manager, ZOOMED);
  await listMenu(page, 'Filter by Tag');
  await expect(overlay(page).getByText('Tag 11')).toBeAttached();
  await expect.poll(() => outside(overlay(page))).toEqual(NOTHING);
});

test('a dialog opened by a key focuses its first field, without a tooltip', async ({ desk }) => {
  const page = await openAna(desk);
  await buildProduct(await desk.hire({ role: 'manager' }), { title: 'Sunset Set' });
  for (const [key, name, field] of [
    ['p', 'Send Product', 'Search Products'],
    ['t', /tags/i, 'Search global tags'],
  ] as const) {
    await thread(page).getByRole('article').first().focus();
    await page.keyboard.press(key);
    await expect(dialog(page, name).getByLabel(field)).toBeFocused();
    await settle(page);
    await expect(tooltips(page)).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog(page, name)).toBeHidden();
  }
});

test('a dialog without a field opened by a key shows no tooltip; Tab does', async ({ desk }) => {
  const page = await openAna(desk);
  await thread(page).getByRole('article').first().focus();
  await page.keyboard.press('?');
  await expect(dialog(page, 'Keyboard Shortcuts')).toBeVisible();
  await settle(page);
  await expect(tooltips(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog(page, 'Keyboard Shortcuts')).toBeHidden();
  await settle(page);
  await expect(tooltips(page)).toHaveCount(0);
  await button(page, 'Settings').focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(button(page, 'Settings')).toBeFocused();
  await expect(tooltips(page)).toHaveText('Settings');
});

test('opening Notes by click puts no tooltip over its tabs', async ({ desk }) => {
  const page = await openAna(desk, { prepare: (opened) => opened.clock.install() });
  const notes = button(page, 'Notes');
  const at = await notes.boundingBox();
  await page.mouse.move((at?.x ?? 0) + 5, (at?.y ?? 0) + 5);
  await notes.click();
  const panel = page.getByRole('complementary', { name: /^Notes on/ });
  await expect(panel).toBeVisible();
  // The pointer now rests on a button of the panel.
  await page.clock.runFor(1_000);
  await expect(tooltips(page)).toHaveCount(0);
});

test('a click outside closes a dialog, but not a text selection that ends there', async ({
  desk,
}) => {
  const page = await openAna(desk);
  for (const [key, name, label] of [
    ['Control+k', 'Command Palette', 'Command or fan'],
    ['Control+Shift+f', 'Search All Messages', ''],
  ] as const) {
    await page.keyboard.press(key);
    const field = label
      ? dialog(page, name).getByLabel(label)
      : dialog(page, name).getByRole('textbox');
    await field.fill('A text');
    await field.hover();
    await page.mouse.down();
    await page.mouse.move(5, 5);
    await page.mouse.up();
    await expect(field).toHaveValue('A text');
    await page.mouse.click(5, 5);
    await expect(dialog(page, name)).toBeHidden();
  }
});

test('Escape closes Search All Messages, even with text in it', async ({ desk }) => {
  const page = await openAna(desk);
  for (const text of ['', 'nothing like this']) {
    await page.keyboard.press('Control+Shift+f');
    const search = dialog(page, 'Search All Messages');
    await expect(search.getByRole('textbox')).toBeFocused();
    await page.keyboard.type(text);
    await page.keyboard.press('Escape');
    await expect(search).toBeHidden();
  }
});
