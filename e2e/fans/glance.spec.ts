import type { Page } from '@playwright/test';
import { replaceFanLanguages } from '@stagedoor/contract/fans/fan-facts';
import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import {
  putSubscription,
  recordPurchase,
  recordRefund,
  recordTip,
} from '@stagedoor/contract/platform/platform';
import { buildConversation, buildReply, unique } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { saleOf } from '../../apps/server/test/worlds/market.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from '../support/journey.ts';
import { failing, gate, holdCalls } from '../support/network.ts';
import { bubble, composer, tab } from '../support/screens.ts';

const DAY_MS = 86_400_000;

const panel = (page: Page) => page.getByRole('complementary', { name: /^(Notes|About)/ });
const chip = (page: Page) => page.getByRole('button', { name: /^Spent/ });
const fact = (page: Page, label: string) =>
  panel(page)
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('..')
    .getByRole('definition');
const list = (page: Page, name: string) => panel(page).getByRole('region', { name, exact: true });

const LANGUAGES = /\/fan-languages$/;

/** Opens the editor of the languages, in the Fan tab. */
async function editLanguages(page: Page) {
  await fact(page, 'Languages').getByRole('button', { name: 'Edit Languages' }).click();
}

async function addLanguage(page: Page, name: string) {
  await fact(page, 'Languages').getByLabel('Add a language').selectOption(name);
  await fact(page, 'Languages').getByRole('button', { name: 'Add' }).click();
}

/** Creates Ana in Lisbon, on a trial, who bought one of two offered products. */
async function openShop(desk: Desk, name = 'Ana') {
  const manager = await desk.hire({ role: 'manager' });
  const conversation = await buildConversation(desk, {
    fan: { first_name: name, username: 'ana', timezone: 'Europe/Lisbon' },
  });
  const { id, fan } = conversation;
  const sunset = await buildProduct(manager, { title: 'Sunset Set' });
  const backstage = await buildProduct(manager, { title: 'Backstage' });
  const bought = await buildOffer(manager, id, [sunset], 25.5);
  await buildReply(manager, id, { content: 'Enjoy it' });
  const open = await buildOffer(manager, id, [backstage], 1_240);
  const sale = saleOf(fan, bought, 25.5);
  const purchased_at = new Date(Date.now() - 1.5 * DAY_MS).toISOString();
  await desk.platform.call(recordPurchase, { body: { ...sale, purchased_at } });
  const ends_at = new Date(Date.now() + 5 * DAY_MS).toISOString();
  await desk.platform.call(putSubscription, {
    params: { fan: fan.external_id },
    body: { status: 'trial', ends_at },
  });
  return { ...conversation, manager, sale, openSale: saleOf(fan, open, 1_240) };
}

test('the amount a fan spent is next to the name, and opens all known facts', async ({ desk }) => {
  const { id } = await openShop(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(chip(page)).toHaveText(/Spent\s*\$25\.50\s*· last Yesterday/);
  await chip(page).click();
  await expect(panel(page)).toBeFocused();
  // The first press switches to the Notes tab; only the second one closes the panel.
  await page.keyboard.press('n');
  await expect(panel(page).getByRole('tab', { name: 'Notes' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('n');
  await expect(panel(page)).toHaveCount(0);
  await chip(page).click();
  await expect(fact(page, 'Spent')).toHaveText('$25.50');
  await expect(fact(page, 'Purchases')).toHaveText('1 · $25.50 on average');
  await expect(fact(page, 'Last purchase')).toHaveText('Sunset Set · $25.50 · Yesterday');
  await expect(fact(page, 'Subscription')).toContainText('Trial');
  await expect(fact(page, 'Local time')).toContainText('in Lisbon');
  await expect(fact(page, 'Messages')).toHaveText('1 from the fan · 3 from the creator');
  await expect(list(page, 'Bought').getByRole('listitem')).toHaveText([/Sunset Set.*\$25\.50/]);
  await expect(list(page, 'Offered, not bought').getByRole('listitem')).toHaveText([
    /Backstage.*\$1,240\.00/,
  ]);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(chip(page)).toBeFocused();
});

test('a fan who only tipped has spent on tips only', async ({ desk }) => {
  const { id, fan } = await buildConversation(desk);
  const tip = { fan: fan.external_id, amount: 5, payment_reference: unique('tip') };
  await desk.platform.call(recordTip, { body: tip });
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await expect(chip(page)).toHaveText(/Spent\s*\$5\.00\s*tips only/);
});

test('for a fan who bought nothing the header says so instead of showing an amount, at every width', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk);
  for (const size of [DESKTOP, PHONE]) {
    const page = await desk.open(await desk.hire(), { ...size, path: `/inbox/${id}` });
    const header = page.getByRole('region', { name: /^Conversation with/ }).locator('header');
    await expect(header.getByText('No purchases', { exact: true })).toBeInViewport({ ratio: 1 });
    await expect(header).not.toContainText('$');
  }
});

test('purchases, refunds and messages update the facts at once, without a reload', async ({
  desk,
}) => {
  const { id, manager, sale, openSale } = await openShop(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await chip(page).click();
  await expect(fact(page, 'Spent')).toHaveText('$25.50');
  await desk.platform.call(recordPurchase, { body: openSale });
  await expect(fact(page, 'Spent')).toHaveText('$1,265.50');
  await expect(chip(page)).toContainText('$1,265.50');
  await expect(list(page, 'Bought').getByRole('listitem')).toHaveCount(2);
  await expect(list(page, 'Offered, not bought')).toContainText('No open offers');
  const { payment_reference } = sale;
  await desk.platform.call(recordRefund, { body: { payment_reference } });
  await expect(fact(page, 'Spent')).toHaveText('$1,240.00');
  await expect(list(page, 'Bought')).toContainText('Refunded');
  await buildReply(manager, id);
  await expect(fact(page, 'Messages')).toContainText('4 from the creator');
});

test('an added language shows in the tab and the header, for teammates at once, until it is removed', async ({
  desk,
}) => {
  const { id } = await openShop(desk);
  const path = `/inbox/${id}`;
  const page = await desk.open(await desk.hire(), { path });
  const teammate = await desk.open(await desk.hire({ can_manage_messages: false }), { path });
  for (const shown of [page, teammate]) {
    await chip(shown).click();
    await expect(fact(shown, 'Languages')).toContainText('No languages added');
  }
  await expect(fact(teammate, 'Languages').getByRole('button')).toHaveCount(0);

  await fact(page, 'Languages').getByRole('button', { name: 'Edit Languages' }).press('Enter');
  const choice = fact(page, 'Languages').getByLabel('Add a language');
  const add = fact(page, 'Languages').getByRole('button', { name: 'Add' });
  await expect(choice).toBeFocused();
  for (const name of ['Portuguese', 'English', 'Arabic']) {
    await choice.selectOption(name);
    await add.press('Enter');
    await expect(choice).toBeFocused();
  }
  await expect(fact(teammate, 'Languages')).toHaveText('Portuguese, English, Arabic');
  for (const shown of [page, teammate]) {
    await expect(chip(shown)).toContainText('PT · EN');
    await expect(chip(shown)).toHaveAccessibleName(/Languages Portuguese, English, Arabic$/);
  }
  await fact(page, 'Languages').getByRole('button', { name: 'Remove Portuguese' }).press('Enter');
  await expect(chip(teammate)).toContainText('EN · AR');
  await page.keyboard.press('Escape');
  await expect(
    fact(page, 'Languages').getByRole('button', { name: 'Edit Languages' }),
  ).toBeFocused();
  await page.reload();
  await expect(chip(page)).toContainText('EN · AR');
});

test('languages that fail to save stay selected and can be saved again; five is the maximum', async ({
  desk,
}) => {
  const { id } = await openShop(desk);
  const page = await desk.open(await desk.hire(), {
    ...PHONE,
    path: `/messages/${id}`,
    prepare: (opened) =>
      opened.route('**/fan-languages', (route) => route.fulfill({ status: 500, json: {} })),
  });
  await chip(page).click();
  await fact(page, 'Languages').getByRole('button', { name: 'Edit Languages' }).click();
  const choice = fact(page, 'Languages').getByLabel('Add a language');
  const add = fact(page, 'Languages').getByRole('button', { name: 'Add' });
  const removals = fact(page, 'Languages').getByRole('button', { name: /^Remove/ });
  await choice.selectOption('German');
  await add.click();
  await expect(fact(page, 'Languages').getByRole('alert')).toContainText(
    'Couldn’t save the languages',
  );
  await expect(removals).toHaveCount(1);
  await page.unroute('**/fan-languages');
  await fact(page, 'Languages').getByRole('button', { name: 'Retry' }).click();
  await expect(fact(page, 'Languages').getByRole('alert')).toHaveCount(0);
  await expect(chip(page)).toHaveAccessibleName(/Languages German$/);
  for (const name of ['French', 'Italian', 'Greek', 'Finnish']) {
    await choice.selectOption(name);
    await add.click();
  }
  await expect(removals).toHaveCount(5);
  await expect(choice).toBeDisabled();
  const done = fact(page, 'Languages').getByRole('button', { name: 'Done' });
  await expect(done).toBeFocused();
  for (const button of await removals.all()) {
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  expect(await accessibilityIssues(page)).toEqual([]);
  await done.click();
  await expect(fact(page, 'Languages')).toContainText('German, French, Italian, Greek, Finnish');
});

test('a language whose save is pending is kept when the panel is opened again', async ({
  desk,
}) => {
  const { id } = await openShop(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await chip(page).click();
  const letGo = await holdCalls(page, LANGUAGES);
  await editLanguages(page);
  await addLanguage(page, 'German');
  await fact(page, 'Languages').getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await chip(page).click();
  await expect(fact(page, 'Languages')).toContainText('German');
  await editLanguages(page);
  await addLanguage(page, 'French');
  letGo();
  await expect(chip(page)).toHaveAccessibleName(/Languages German, French$/);
});

test('languages that fail to save after the tab was left are reported and can be retried', async ({
  desk,
}) => {
  const { id } = await openShop(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await chip(page).click();
  const letGo = await holdCalls(page, LANGUAGES, 500);
  await editLanguages(page);
  await addLanguage(page, 'German');
  await panel(page).getByRole('tab', { name: 'Notes' }).click();
  await expect(fact(page, 'Languages')).toHaveCount(0);
  letGo();
  const problem = page.getByRole('status').filter({ hasText: 'Ana: Couldn’t save the languages' });
  await expect(problem).toBeVisible();
  await page.unroute(LANGUAGES);
  await problem.getByRole('button', { name: 'Retry' }).click();
  await expect(chip(page)).toHaveAccessibleName(/Languages German$/);
});

test('a late reply to saved languages does not hide a purchase', async ({ desk }) => {
  const { id, openSale } = await openShop(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await chip(page).click();
  const { held, letGo } = gate();
  let saves = 0;
  await page.route(LANGUAGES, async (route) => {
    saves += 1;
    // The second save starts once the first reply has been handled.
    if (saves === 2) return;
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await editLanguages(page);
  await addLanguage(page, 'German');
  await addLanguage(page, 'French');
  await expect(chip(page)).toHaveAccessibleName(/Languages German$/);
  await desk.platform.call(recordPurchase, { body: openSale });
  await expect(fact(page, 'Spent')).toHaveText('$1,265.50');
  // Another refetch would hide what the reply does.
  await holdCalls(page, /\/fan-facts$/);
  letGo();
  await expect.poll(() => saves).toBe(2);
  await expect(fact(page, 'Spent')).toHaveText('$1,265.50');
});

test('the tabs have keyboard navigation, unsaved notes stay, and the next fan shows in the same tab', async ({
  desk,
}) => {
  await openShop(desk, 'Ben');
  const { id } = await openShop(desk);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  // The Unread tab doesn't list these conversations, because staff wrote last.
  await tab(page, 'All').click();
  await expect(composer(page)).toBeVisible();
  await page.keyboard.press('n');
  await panel(page).getByRole('button', { name: 'Edit' }).press('Enter');
  await panel(page).getByLabel('Location').fill('Lisbon');
  await panel(page).getByRole('tab', { name: 'Notes' }).press('ArrowRight');
  await expect(panel(page).getByRole('tab', { name: 'Fan' })).toBeFocused();
  await expect(fact(page, 'Spent')).toHaveText('$25.50');
  await page.keyboard.press('Home');
  await expect(panel(page).getByLabel('Location')).toHaveValue('Lisbon');
  await panel(page).getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  await panel(page).getByRole('tab', { name: 'Fan' }).click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByRole('heading', { name: 'Ben', exact: true })).toBeVisible();
  await expect(panel(page)).toContainText('About Ben');
  await expect(fact(page, 'Spent')).toHaveText('$25.50');
});

test('a purchase leads to its message; on a phone the panel closes', async ({ desk }) => {
  const { id } = await openShop(desk);
  const staff = await desk.hire();
  for (const options of [DESKTOP, PHONE]) {
    const page = await desk.open(staff, { ...options, path: `/inbox/${id}` });
    await chip(page).click();
    await list(page, 'Bought')
      .getByRole('button', { name: /Sunset Set/ })
      .click();
    await expect(bubble(page, 'Sunset Set')).toBeInViewport();
    await expect(panel(page)).toHaveCount(options === PHONE ? 0 : 1);
  }
});

test('facts that fail to load can be retried; the thread does not wait for them', async ({
  desk,
}) => {
  const { id } = await openShop(desk);
  const page = await desk.open(await desk.hire(), {
    path: `/inbox/${id}`,
    prepare: failing('**/fan-facts', 500),
  });
  await expect(bubble(page, 'Enjoy it')).toBeVisible();
  await expect(chip(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Notes', exact: true }).click();
  await panel(page).getByRole('tab', { name: 'Fan' }).click();
  await expect(panel(page).getByRole('alert')).toContainText('Couldn’t load the fan details');
  await page.unroute('**/fan-facts');
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await expect(fact(page, 'Spent')).toHaveText('$25.50');
  await expect(chip(page)).toBeVisible();
});

for (const width of [320, 390, 820, 1440]) {
  test(`at ${width} pixels the header keeps its height with a long name, a trial, the time, the amount spent and languages`, async ({
    desk,
  }) => {
    const { id, manager } = await openShop(desk, 'Bartholomew Featherstonehaugh');
    await manager.client.call(replaceFanLanguages, {
      params: { id },
      body: { languages: ['pt', 'en', 'ar'] },
    });
    const page = await desk.open(await desk.hire(), {
      ...(width < 768 ? PHONE : DESKTOP),
      width,
      path: `/inbox/${id}`,
    });
    await expect(chip(page)).toBeVisible();
    const header = page.getByRole('region', { name: /^Conversation with/ }).locator('header');
    const { height, overflow } = await header.evaluate((element) => ({
      height: element.getBoundingClientRect().height,
      overflow: element.scrollWidth - element.clientWidth,
    }));
    expect({ height, overflow }).toEqual({ height: width < 768 ? 48 : 56, overflow: 0 });
    const name = await header.getByRole('heading').boundingBox();
    const spent = await chip(page).boundingBox();
    expect(name?.width).toBeGreaterThan(40);
    expect(spent?.x ?? 0).toBeGreaterThanOrEqual((name?.x ?? 0) + (name?.width ?? 0));
  });
}

for (const size of [DESKTOP, PHONE]) {
  test(`at ${size.width} pixels a claimed fan’s name is whole, and each fact below it is shown whole or not at all`, async ({
    desk,
  }) => {
    const { id, manager } = await openShop(desk, 'Beatriz Antunes');
    await manager.client.call(claimConversation, { params: { id } });
    const page = await desk.open(await desk.hire(), { ...size, path: `/inbox/${id}` });
    if (size === DESKTOP) {
      await page.getByRole('button', { name: 'Notes', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
    }
    await expect(chip(page)).toBeVisible();
    const header = page.getByRole('region', { name: /^Conversation with/ }).locator('header');
    await expect(header.getByText('Claimed by other')).toBeInViewport({ ratio: 1 });
    const cut = await header.evaluate((element) => {
      const line = element.querySelector('p')?.getBoundingClientRect();
      const parts = [...element.querySelectorAll('h2, p > :not([hidden])')];
      return parts
        .filter((part) => {
          const { top, right } = part.getBoundingClientRect();
          const isShown = part.tagName === 'H2' || (line && top < line.bottom);
          return isShown && (part.scrollWidth > part.clientWidth || (line && right > line.right));
        })
        .map(({ textContent }) => textContent);
    });
    expect(cut).toEqual([]);
  });

  test(`facts have no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const { id } = await openShop(desk);
    const page = await desk.open(await desk.hire(), { ...size, path: `/inbox/${id}` });
    await chip(page).click();
    await expect(list(page, 'Bought').getByRole('listitem')).toHaveCount(1);
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
