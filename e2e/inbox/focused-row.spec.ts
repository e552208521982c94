import type { Page, Route } from '@playwright/test';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { type Desk, expect, test } from '../support/journey.ts';
import { gate } from '../support/network.ts';
import { button, keepToast, row, rows, tab } from '../support/screens.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const STATUS = /\/status$/;
const toasts = (page: Page) => page.getByRole('status').filter({ hasText: /Ana|Ben/ });

/** Opens Ana's conversation, with the focus on Ben's row below hers. */
async function openAnaFocusBen(
  desk: Desk,
  status: 'active' | 'flagged' = 'active',
  prepare: (page: Page, anaId: string) => Promise<unknown> = async () => undefined,
) {
  const ben = await buildConversation(desk, { fan: { first_name: 'Ben' }, status });
  const ana = await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire(), {
    prepare: (opened) => prepare(opened, ana.id),
  });
  await tab(page, 'All').click();
  await expect(rows(page)).toHaveText([/Ana/, /Ben/]);
  await row(page, 'Ana').click();
  await expect(button(page, 'Archive')).toBeVisible();
  await expect(button(page, 'Settings')).toBeVisible();
  await page.keyboard.press('j');
  await expect(row(page, 'Ben')).toBeFocused();
  return { page, ana, ben };
}

test('shortcuts act on the focused row, and name its fan', async ({ desk }) => {
  const { page } = await openAnaFocusBen(desk);
  await page.keyboard.press('c');
  await expect(toasts(page)).toHaveText(/^Claimed Ben/);
  await expect(row(page, 'Ben')).toContainText('Claimed');
  await page.keyboard.press('!');
  await expect(toasts(page)).toHaveText(/^Flagged Ben/);
  await page.keyboard.press('!');
  await expect(toasts(page)).toHaveText(/^Unflagged Ben/);
  await page.keyboard.press('e');
  await expect(toasts(page)).toHaveText(/^Archived Ben/);
  await expect(row(page, 'Ben')).toContainText('archived');
  await page.keyboard.press('s');
  await expect(page.getByRole('dialog', { name: 'Snooze' })).toContainText('Ben');
  await page.keyboard.press('Escape');
  // The open conversation is unchanged.
  await expect(heading(page, 'Ana')).toBeVisible();
  for (const name of ['Claim', 'Archive', 'Flag']) await expect(button(page, name)).toBeVisible();
  await heading(page, 'Ana').click();
  await page.keyboard.press('c');
  await expect(toasts(page)).toHaveText(/^Claimed Ana/);
});

test('a shortcut acts on the result of the one pressed right before it', async ({ desk }) => {
  const { page, ben } = await openAnaFocusBen(desk);
  const saved = page.waitForResponse(
    (response) => STATUS.test(response.url()) && /active/.test(response.request().postData() ?? ''),
  );
  await page.evaluate(async () => {
    const press = () =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: '!', bubbles: true, cancelable: true }),
      );
    press();
    await Promise.resolve();
    press();
  });
  await expect(toasts(page)).toHaveText(/^Unflagged Ben/);
  expect((await saved).url()).toContain(ben.id);
  expect((await saved).status()).toBe(200);
  await expect(row(page, 'Ben')).not.toContainText('flagged');
});

test('a shortcut acts on the visible state while the previous action is still pending', async ({
  desk,
}) => {
  const { page } = await openAnaFocusBen(desk);
  const held: Route[] = [];
  let isHolding = true;
  await page.route(STATUS, (route) => (isHolding ? void held.push(route) : route.continue()));
  const flagged = page.waitForResponse(STATUS);
  await page.keyboard.press('!');
  await expect(toasts(page)).toHaveText(/^Flagged Ben/);
  await page.keyboard.press('!');
  await expect(toasts(page)).toHaveText(/^Unflagged Ben/);
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await held.shift()?.continue();
  await (await flagged).finished();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.keyboard.press('e');
  await expect(toasts(page)).toHaveText(/^Archived Ben/);
  const archived = page.waitForResponse(
    (response) =>
      STATUS.test(response.url()) && /archived/.test(response.request().postData() ?? ''),
  );
  isHolding = false;
  for (const route of held) await route.continue();
  expect((await archived).status()).toBe(200);
  await expect(row(page, 'Ben')).toContainText('archived');
});

test('shortcuts act on a row even if no conversation is open', async ({ desk }) => {
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire());
  await expect(button(page, 'Settings')).toBeVisible();
  await row(page, 'Ana').focus();
  await expect(async () => {
    await page.keyboard.press('!');
    await expect(toasts(page)).toHaveText(/^Flagged Ana/, { timeout: 500 });
  }).toPass();
  await expect(page).toHaveURL(/\/inbox$/);
});

test('the focus moves to the row of a newly opened conversation', async ({ desk }) => {
  const { page } = await openAnaFocusBen(desk);
  // Ben has been waiting longest.
  await row(page, 'Ana').focus();
  await page.keyboard.press('x');
  await expect(heading(page, 'Ben')).toBeVisible();
  await expect(row(page, 'Ben')).toBeFocused();
});

test('a shortcut that can do nothing says why', async ({ desk }) => {
  const { page } = await openAnaFocusBen(desk, 'flagged');
  await page.keyboard.press('e');
  await expect(toasts(page)).toHaveText('Ben is flagged. Unflag before you archive.');
});

test('a conversation’s failure is shown and kept while another one is open, whose Undo stays', async ({
  desk,
}) => {
  const { held, letGo: fail } = gate();
  const { page, ana } = await openAnaFocusBen(desk, 'active', (opened, anaId) =>
    opened.route(new RegExp(`${anaId}/status$`), async (route) => {
      await held;
      await route.fulfill({ status: 500, json: {} });
    }),
  );
  await row(page, 'Ana').focus();
  await page.keyboard.press('e');
  await expect(toasts(page)).toHaveText(/^Archived Ana/);
  await row(page, 'Ben').click();
  await expect(heading(page, 'Ben')).toBeVisible();
  await page.keyboard.press('c');
  await keepToast(page, 'Claimed Ben');
  fail();
  await expect(toasts(page)).toContainText('Ana: Couldn’t update the status');
  await expect(toasts(page)).toContainText('Claimed Ben');
  await expect(button(page, 'Undo')).toBeVisible();
  await page.keyboard.press('z');
  await expect(button(page, 'Claim')).toBeVisible();

  await row(page, 'Ana').click();
  const retry = button(page, 'Couldn’t update the status. Retry');
  await expect(retry).toBeVisible();
  await page.unroute(new RegExp(`${ana.id}/status$`));
  await toasts(page).getByRole('button', { name: 'Retry' }).click();
  await expect(button(page, 'Unarchive')).toBeVisible();
  await expect(retry).toHaveCount(0);
  await expect(toasts(page)).not.toContainText('Failed');
});
