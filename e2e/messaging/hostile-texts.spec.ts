import type { Page } from '@playwright/test';
import { fanLink } from '../support/fan-client.ts';
import {
  CORPUS,
  foreignElements,
  furnishWithHostileTexts,
  violationsOf,
} from '../support/hostile.ts';
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';
import { bubble, searchBox, tab, thread } from '../support/screens.ts';

const LAST = CORPUS.at(-1) ?? '';
const pressing = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click();

/** Opens a dialog by clicking these buttons, checks it, and closes it. */
async function lookInto(page: Page, ...opened: (string | RegExp)[]): Promise<void> {
  for (const name of opened) await pressing(page, name);
  await expect(page.getByRole('dialog').first()).toBeVisible();
  expect(await foreignElements(page)).toEqual([]);
  await page.keyboard.press('Escape');
}

test('no text becomes markup or code on any page of the console', async ({ desk }) => {
  const { manager, id } = await furnishWithHostileTexts(desk);
  let violations: string[] = [];
  const page = await desk.open(manager, {
    ...DESKTOP,
    prepare: async (opened) => {
      violations = violationsOf(opened);
    },
  });
  await tab(page, 'All').click();
  await expect(page.getByRole('list', { name: 'Conversations' })).toContainText(CORPUS[1]);
  expect(await foreignElements(page)).toEqual([]);
  await searchBox(page).fill('<script');
  await expect(page.getByRole('list', { name: 'Conversations' })).toContainText('<script');
  expect(await foreignElements(page)).toEqual([]);
  await lookInto(page, 'Invite Users');
  await lookInto(page, 'Settings', 'Sessions...');

  await page.goto(`/inbox/${id}`);
  await expect(bubble(page, LAST).first()).toBeVisible();
  await expect(thread(page).locator('audio, video').first()).toBeAttached();
  expect(await foreignElements(page)).toEqual([]);
  await lookInto(page, 'Manage Tags');
  await lookInto(page, /^View /);
  await page.getByRole('button', { name: 'Notes', exact: true }).click();
  await expect(page.getByText('{{constructor')).not.toHaveCount(0);
  expect(await foreignElements(page)).toEqual([]);
  await pressing(page, 'Attach');
  await page.getByRole('menuitem', { name: 'Send Product' }).click();
  await expect(page.getByRole('dialog', { name: 'Send Product' }).getByRole('radio')).toHaveCount(
    2,
  );
  expect(await foreignElements(page)).toEqual([]);

  for (const [path, shown] of [
    ['/products', page.getByRole('article').first()],
    ['/console', page.getByText("o'b+x@staff.example").first()],
    [
      '/console',
      page.getByRole('region', { name: 'Analytics', exact: true }).locator('td').first(),
    ],
    ['/console/audit', page.getByText('created the folder').first()],
    ['/console/platform', page.getByRole('table', { name: 'Platform Keys' })],
  ] as const) {
    await page.goto(path);
    await expect(shown).toBeVisible();
    expect(await foreignElements(page), path).toEqual([]);
  }
  expect(violations).toEqual([]);
});

test('no text becomes markup or code in the fan client', async ({ desk }) => {
  const { fan } = await furnishWithHostileTexts(desk);
  let violations: string[] = [];
  const page = await desk.openSignedOut({
    ...PHONE,
    path: await fanLink(desk, fan.external_id),
    serviceWorker: true,
    prepare: async (opened) => {
      violations = violationsOf(opened);
    },
  });
  const log = page.getByRole('log');
  await expect(log.getByRole('article').filter({ hasText: LAST }).first()).toBeVisible();
  await expect(log.getByRole('region', { name: /^Locked: / })).toBeVisible();
  expect(await foreignElements(page)).toEqual([]);
  await lookInto(page, /^View /);
  await page.goto('/fan/welcome#invite="><img src=x onerror=alert(1)>');
  await expect(page.getByRole('heading').first()).toBeVisible();
  expect(await foreignElements(page)).toEqual([]);
  // The page's security policy allows the service worker.
  const registered = () => navigator.serviceWorker.ready.then(({ active }) => active !== null);
  expect(await page.evaluate(registered)).toBe(true);
  expect(violations).toEqual([]);
});

test('the documentation pages work without external resources', async ({ desk }) => {
  for (const path of ['/api/docs/', '/api/platform/docs/']) {
    let violations: string[] = [];
    const page = await desk.openSignedOut({
      path,
      prepare: async (opened) => {
        violations = violationsOf(opened);
      },
    });
    await page.locator('.opblock-summary-control').first().click();
    await expect(page.locator('.opblock-body').first()).toBeVisible();
    expect(violations).toEqual([]);
  }
});
