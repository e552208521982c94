import type { Page } from '@playwright/test';
import { buildAdmin, buildConversation } from '../../apps/server/test/factories.ts';
import { faintParts, faintWhileHovered } from '../support/contrast.ts';
import { tagFan } from '../support/furnish.ts';
import { type Desk, expect, test } from '../support/journey.ts';
import { row, tab } from '../support/screens.ts';
import { openShop } from '../support/shop.ts';

const OVERVIEW = /\/api\/admin\/analytics\/overview/;

test('7: roles are shown as words: creator purple, manager blue, moderator green and support gray', async ({
  desk,
}) => {
  for (const role of ['support', 'moderator', 'manager'] as const) await buildAdmin(desk, { role });
  const staff = await desk.hire({ role: 'creator', email: 'boss@staff.example' });
  const page = await desk.open(staff, { path: '/console' });
  for (const [theme, looks] of [
    [
      'light',
      {
        Creator: ['rgb(112, 36, 171)', 'rgb(241, 232, 254)'],
        Manager: ['rgb(0, 87, 153)', 'rgb(224, 239, 254)'],
        Moderator: ['rgb(1, 96, 53)', 'rgb(210, 246, 221)'],
        Support: ['rgb(71, 74, 81)', 'rgb(230, 232, 236)'],
      },
    ],
    [
      'dark',
      {
        Creator: ['rgb(214, 183, 252)', 'rgb(57, 31, 81)'],
        Manager: ['rgb(151, 201, 253)', 'rgb(10, 45, 76)'],
        Moderator: ['rgb(124, 224, 162)', 'rgb(19, 49, 31)'],
        Support: ['rgb(186, 190, 196)', 'rgb(40, 42, 47)'],
      },
    ],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [role, [color, ground]] of Object.entries(looks)) {
      const badge = page.locator(`[data-role="${role.toLowerCase()}"]`).first();
      await expect(badge).toHaveText(role);
      await expect(badge).toHaveCSS('color', color);
      await expect(badge).toHaveCSS('background-color', ground);
    }
  }
});

test('8: a conversion rate is green at 50, yellow at 49.9 and 25, gray at 24.9', async ({
  desk,
}) => {
  const { manager } = await openShop(desk);
  // Only thousands of sends and purchases would produce these rates.
  const rates = [50, 49.9, 25, 24.9];
  const prepare = (opened: Page) =>
    opened.route(OVERVIEW, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const [row] = body.admin_performance;
      body.admin_performance = rates.map((conversion_rate, index) => ({
        ...row,
        admin_id: `${index}`,
        admin_codename: `Rate ${conversion_rate}`,
        conversion_rate,
      }));
      await route.fulfill({ response, json: body });
    });
  const page = await desk.open(manager, { path: '/console', prepare });
  const table = page.getByRole('region', { name: 'Performance by Admin' }).getByRole('table');
  for (const [theme, green, yellow, grey] of [
    ['light', 'rgb(210, 246, 221)', 'rgb(255, 240, 193)', 'rgb(230, 232, 236)'],
    ['dark', 'rgb(19, 49, 31)', 'rgb(55, 41, 10)', 'rgb(40, 42, 47)'],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [text, color] of [
      ['50.0%', green],
      ['49.9%', yellow],
      ['25.0%', yellow],
      ['24.9%', grey],
    ] as const) {
      const badge = table.getByText(text);
      await expect(badge).toHaveCSS('background-color', color);
    }
  }
});

test('9: a flagged row is red, with a bar, a red name and a flag', async ({ desk }) => {
  const { id } = await buildConversation(desk, { fan: { first_name: 'Ben' }, status: 'flagged' });
  await buildConversation(desk, { fan: { first_name: 'Ana' } });
  const page = await desk.open(await desk.hire());
  const flagged = row(page, 'Ben');
  for (const [theme, ground, selected, name] of [
    ['light', 'rgb(254, 235, 234)', 'rgb(252, 213, 210)', 'rgb(169, 20, 28)'],
    ['dark', 'rgb(46, 26, 26)', 'rgb(71, 33, 34)', 'rgb(249, 158, 155)'],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto('/inbox');
    await tab(page, 'All').click();
    await expect(flagged).toHaveAccessibleName(/^Ben, (1 unread, )?flagged/);
    await expect(flagged).toHaveCSS('background-color', ground);
    await expect(flagged.getByText('Ben', { exact: true })).toHaveCSS('color', name);
    await expect(flagged.locator('svg.lucide-flag')).toBeVisible();
    await expect(row(page, 'Ana').locator('svg.lucide-flag')).toHaveCount(0);
    const bar = await flagged.locator('span').first().boundingBox();
    expect(bar?.width).toBe(3);
    await flagged.click();
    await expect(page).toHaveURL(new RegExp(id));
    await page.mouse.move(1_200, 400);
    await expect(flagged).toHaveCSS('background-color', selected);
    expect(await faintWhileHovered(page)).toEqual([]);
  }
});

/** Creates a fan whose tags have the colors with the hardest contrast. */
async function colourful(desk: Desk, first_name: string, status: 'active' | 'flagged') {
  const built = await buildConversation(desk, { fan: { first_name }, status });
  const colors = ['#FF5733', '#FFFF00', '#000000', '#FFFFFF'];
  await tagFan(
    desk,
    built.fan.id,
    colors.map((color) => ({ label: `Tag ${color}`, color })),
  );
  return built;
}

test('10: tags of #FF5733, #FFFF00 and #000000 have a contrast of 4.5:1 in both themes', async ({
  desk,
}) => {
  await colourful(desk, 'Ben', 'flagged');
  const { id } = await colourful(desk, 'Ana', 'active');
  const staff = await desk.hire();
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await tab(page, 'All').click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const chips = page.getByText(/^Tag #/);
    // Each of the two rows shows two tags, and the open conversation shows all four below its header.
    await expect(chips.filter({ visible: true })).toHaveCount(8);
    expect(await faintParts(page)).toEqual([]);
    expect(await faintWhileHovered(page)).toEqual([]);
    const dot = page.getByText('Tag #FF5733').first().locator('xpath=preceding-sibling::span');
    await expect(dot).toHaveCSS('background-color', 'rgb(255, 87, 51)');
  }
});
