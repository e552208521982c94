import type { Page } from '@playwright/test';
import { createShift } from '@stagedoor/contract/team/shifts';
import { buildReply, type Staff } from '../apps/server/test/factories.ts';
import { boxProblems } from './support/boxes.ts';
import { fanLink } from './support/fan-client.ts';
import { tagFan } from './support/furnish.ts';
import { type Desk, expect, test } from './support/journey.ts';
import { LANGUAGES, type Say, sayIn, speaking } from './support/languages.ts';
import { openShop } from './support/shop.ts';

const HEIGHT = 900;
const PHONE = { width: 390, height: HEIGHT };
const TABLET = { width: 820, height: HEIGHT };
const LAPTOP = { width: 1440, height: HEIGHT };
/** The same screens at 200 % zoom, which halves their CSS pixels. */
const ZOOMED = {
  phone: { width: 195, height: 422 },
  tablet: { width: 410, height: HEIGHT },
  laptop: { width: 720, height: HEIGHT },
};

const SIZES = [
  PHONE,
  TABLET,
  LAPTOP,
  { width: 1920, height: HEIGHT },
  ...Object.values(ZOOMED),
  { width: 960, height: HEIGHT },
];

const PAGES = [
  '/console',
  '/console/analytics',
  '/console/rules',
  '/console/security',
  '/console/audit',
  '/console/platform',
  '/products',
  '/campaigns',
  '/campaigns/new',
  '/segments',
  '/shifts',
  '/earnings',
];

/** Returns the screen's layout problems at these sizes. */
async function look(
  page: Page,
  screen: string,
  sizes: readonly { width: number; height: number }[] = SIZES,
): Promise<string[]> {
  await page.waitForLoadState('networkidle');
  const found: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    for (const problem of await boxProblems(page))
      found.push(`${screen} at ${size.width}: ${problem}`);
  }
  return found;
}

const button = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first();

/** Runs a command by its title in the command palette. */
async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill(title);
  await palette.getByRole('option', { name: title }).first().click();
}

type Open = (page: Page, say: Say) => Promise<unknown>;

/** How to open each overlay of a screen. */
const OVER_INBOX: Readonly<Record<string, Open>> = {
  palette: (page) => page.keyboard.press('Control+k'),
  shortcuts: (page) => page.keyboard.press('?'),
  settings: (page, say) => button(page, say('Settings')).click(),
  templates: (page, say) => command(page, say('Templates')),
  'new template': async (page, say) => {
    await command(page, say('Templates'));
    await button(page, say('New Template')).click();
  },
  'tag library': (page, say) => command(page, say('Tags')),
  invite: (page, say) => command(page, say('Invite Users [link]')),
  handover: (page, say) => command(page, say('End Shift')),
  team: (page, say) => button(page, say('Team')).click(),
};
const OVER_CONVERSATION: Readonly<Record<string, Open>> = {
  'manage tags': (page) => page.keyboard.press('t'),
  'send product': (page) => page.keyboard.press('p'),
  snooze: (page, say) => command(page, say('Snooze...')),
  schedule: async (page, say) => {
    await page.getByPlaceholder(say('Reply as creator...')).fill('Good morning');
    await button(page, say('Schedule Message')).click();
  },
};
const OVER_SHIFTS: Readonly<Record<string, Open>> = {
  'plan shift': async (page, say) => {
    await button(page, say('Plan Shift')).click();
    await page.getByLabel(say('Repeats')).selectOption('weekly');
  },
};
const OVER_PRODUCTS: Readonly<Record<string, Open>> = {
  'create product': (page, say) => button(page, say('Create Product')).click(),
  'manage folders': (page, say) => button(page, say('Manage Folders')).click(),
};

/** Plans a 20-hour shift with a note. It starts the given number of hours from now. */
async function planFromNow({ client }: Staff, { admin }: Staff, hours: number): Promise<void> {
  const instant = (after: number) => new Date(Date.now() + after * 3_600_000).toISOString();
  const body = {
    admin_id: admin.id,
    starts_at: instant(hours),
    ends_at: instant(hours + 20),
    note: 'Watch the sales of the new set, and answer the oldest ones first',
  };
  await client.call(createShift, { body });
}

async function furnish(desk: Desk) {
  const { manager, kiwi, ana } = await openShop(desk);
  await tagFan(desk, ana.fan.id, ['VIP', 'Portugal', 'Third']);
  await buildReply(kiwi, ana.id, { content: 'See you there!'.repeat(12) });
  // Two overlapping shifts, long enough to cross midnight.
  for (const [of, hours] of [
    [kiwi, 1],
    [manager, 2],
  ] as const)
    await planFromNow(manager, of, hours);
  return { manager, ana };
}

for (const language of ['en', ...LANGUAGES]) {
  test(`2: in ${language} nothing is cut off, overlaps or scrolls sideways at any width`, async ({
    desk,
  }) => {
    const { manager, ana } = await furnish(desk);
    const say = sayIn(language);
    const prepare = speaking(language);
    const guest = await desk.openSignedOut({ prepare });
    await expect(guest.getByLabel(say('Please enter your email'))).toBeVisible();
    const found = await look(guest, 'sign-in');

    const page = await desk.open(manager, { prepare });
    await page.getByRole('tab', { name: say('All [conversations]'), exact: true }).click();
    await expect(page.getByRole('link', { name: /^Ana/ })).toBeVisible();
    found.push(...(await look(page, 'inbox')));
    await page.getByRole('link', { name: /^Ana/ }).click();
    await expect(page.getByRole('log')).toContainText('See you there!');
    // The focus shows the message's buttons.
    await page.getByRole('article').last().focus();
    found.push(...(await look(page, 'conversation')));
    await page.setViewportSize(LAPTOP);
    await page.getByRole('button', { name: say('Notes'), exact: true }).click();
    found.push(...(await look(page, 'notes')));
    for (const path of PAGES) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      found.push(...(await look(page, path)));
    }

    const fan = await desk.openSignedOut({
      locale: language,
      path: await fanLink(desk, ana.fan.external_id),
    });
    await expect(fan.getByRole('log')).toContainText('See you there!');
    found.push(...(await look(fan, 'fan client')));
    expect(found).toEqual([]);
  });
}

for (const [language, theme] of [
  ['de', 'dark'],
  ['ar', 'light'],
] as const) {
  test(`in ${language} (${theme}) no dialog, menu or panel is cut off, overlaps or is out of reach`, async ({
    desk,
  }) => {
    const { manager, ana } = await furnish(desk);
    const say = sayIn(language);
    const page = await desk.open(manager, { prepare: speaking(language), theme });
    const found: string[] = [];
    // The split view and the single pane on phones have different controls, which open different overlays.
    for (const sizes of [
      [LAPTOP, TABLET],
      [PHONE, ZOOMED.phone],
    ] as const)
      for (const [path, overlays] of [
        ['/inbox', OVER_INBOX],
        [`/inbox/${ana.id}`, OVER_CONVERSATION],
        ['/products', OVER_PRODUCTS],
        ['/shifts', OVER_SHIFTS],
      ] as const) {
        await page.setViewportSize(sizes[0]);
        await page.goto(path);
        for (const [name, open] of Object.entries(overlays)) {
          await page.setViewportSize(sizes[0]);
          await page.waitForLoadState('networkidle');
          await open(page, say);
          const layer = page.locator('dialog[open], [popover=auto]:popover-open').first();
          const discard = button(page, say('Discard'));
          await expect(layer, name).toBeVisible();
          found.push(...(await look(page, name, sizes)));
          await expect(layer, name).toBeVisible();
          while (await layer.isVisible()) {
            if (await discard.isVisible()) await discard.click();
            else await page.keyboard.press('Escape');
          }
        }
      }
    expect(found).toEqual([]);
  });
}
