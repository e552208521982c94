import type { Page } from '@playwright/test';
import { accessibilityIssues, switchTheme } from '../support/accessibility-issues.ts';
import { faintParts } from '../support/contrast.ts';
import { tagFan } from '../support/furnish.ts';
import { DESKTOP, type Desk, expect, type OpenOptions, test } from '../support/journey.ts';
import { bubble, composer, row, tab } from '../support/screens.ts';
import { openShop } from '../support/shop.ts';

/** Opens every screen as a manager of a shop with sales, and calls `look` on each. */
async function everyScreen(
  desk: Desk,
  options: OpenOptions,
  look: (page: Page, screen: string) => Promise<void>,
): Promise<void> {
  const { manager, ana } = await openShop(desk);
  await tagFan(desk, ana.fan.id, ['VIP', 'Portugal', 'Third']);
  const guest = await desk.openSignedOut(options);
  await expect(guest.getByLabel('Please enter your email')).toBeVisible();
  await look(guest, 'sign-in');
  await guest.context().close();

  const page = await desk.open(manager, options);
  await tab(page, 'All').click();
  await expect(row(page, 'Ana')).toBeVisible();
  await look(page, 'inbox');
  await row(page, 'Ana').click();
  await expect(bubble(page, 'Sunset Set')).toBeVisible();
  await composer(page).fill('A draft');
  await look(page, 'conversation');
  await page.getByRole('button', { name: 'Notes', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Notes/ })).toBeVisible();
  await look(page, 'notes');
  for (const [path, shown] of [
    ['/console', 'Admin Console'],
    ['/products', 'Sunset Set'],
    ['/campaigns/new', 'Who Gets It'],
    ['/segments', 'No segments yet'],
    ['/earnings', 'Earned Today'],
    ['/shifts', 'You are off the clock'],
    ['/console/rules', 'Team Rules'],
    ['/console/security', 'Passkeys at Sign-In'],
    ['/console/audit', 'Audit Log'],
    ['/console/platform', 'Platform Keys'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(shown, { exact: true }).first()).toBeVisible();
    await look(page, path);
  }
}

test('5, 6: axe finds no serious issue, every text has 4.5:1 and every control’s border 3:1, on every screen and in both themes', async ({
  desk,
}) => {
  await everyScreen(desk, { ...DESKTOP, theme: 'light' }, async (page, screen) => {
    expect(await accessibilityIssues(page), screen).toEqual([]);
    expect(await faintParts(page), `${screen}, light`).toEqual([]);
    await switchTheme(page, 'dark');
    expect(await faintParts(page), `${screen}, dark`).toEqual([]);
    await switchTheme(page, 'light');
  });
});
