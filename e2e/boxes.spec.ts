import type { Page } from '@playwright/test';
import { buildReply } from '../apps/server/test/factories.ts';
import { boxProblems } from './support/boxes.ts';
import { fanLink } from './support/fan-client.ts';
import { tagFan } from './support/furnish.ts';
import { type Desk, expect, test } from './support/journey.ts';
import { inLanguage, LANGUAGES } from './support/languages.ts';
import { openShop } from './support/shop.ts';

/** A phone, a tablet, a laptop and a large screen; then the last three at 200 %, which halves their CSS pixels. */
const WIDTHS = [390, 820, 1440, 1920, 410, 720, 960];

const PAGES = [
  '/console',
  '/console/analytics',
  '/console/rules',
  '/console/security',
  '/console/audit',
  '/console/platform',
  '/products',
];

/** Returns the problems of the screen at every width. */
async function look(page: Page, screen: string): Promise<string[]> {
  await page.waitForLoadState('networkidle');
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    for (const problem of await boxProblems(page)) found.push(`${screen} at ${width}: ${problem}`);
  }
  return found;
}

async function furnish(desk: Desk) {
  const { manager, kiwi, ana } = await openShop(desk);
  await tagFan(desk, ana.fan.id, ['VIP', 'Portugal', 'Third']);
  await buildReply(kiwi, ana.id, { content: 'See you there!'.repeat(12) });
  return { manager, ana };
}

for (const language of ['en', ...LANGUAGES]) {
  test(`2: in ${language} nothing is cut off, overlaps or scrolls sideways at any width`, async ({
    desk,
  }) => {
    test.slow();
    const { manager, ana } = await furnish(desk);
    const say =
      language === 'en' ? (text: string) => text.replace(/ \[.*/, '') : inLanguage(language);
    const speaking = (page: Page) =>
      page.addInitScript((chosen) => localStorage.setItem('language', chosen), language);
    const guest = await desk.openSignedOut({ prepare: speaking });
    await expect(guest.getByLabel(say('Please enter your email'))).toBeVisible();
    const found = await look(guest, 'sign-in');

    const page = await desk.open(manager, { prepare: speaking });
    await page.getByRole('tab', { name: say('All [conversations]'), exact: true }).click();
    await expect(page.getByRole('link', { name: /^Ana/ })).toBeVisible();
    found.push(...(await look(page, 'inbox')));
    await page.getByRole('link', { name: /^Ana/ }).click();
    await expect(page.getByRole('log')).toContainText('See you there!');
    found.push(...(await look(page, 'conversation')));
    await page.setViewportSize({ width: 1440, height: 900 });
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
