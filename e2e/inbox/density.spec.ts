import type { Page } from '@playwright/test';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { tagFan } from '../support/furnish.ts';
import { expect, test } from '../support/journey.ts';
import { bubble, row, rows, tab } from '../support/screens.ts';

const heightOf = async (page: Page, fan: string) => (await row(page, fan).boundingBox())?.height;

async function choose(page: Page, density: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('group', { name: 'Density' }).getByText(density).click();
  await expect(page.getByRole('radio', { name: density })).toBeChecked();
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.keyboard.press('Escape');
}

test('compact rows are 52 px high with their tags on the same line, and this browser remembers the setting', async ({
  desk,
}) => {
  await buildConversation(desk, { fan: { first_name: 'Ben' } });
  const { id, fan } = await buildConversation(desk, {
    fan: { first_name: 'Ana' },
    messages: ['One', 'Two'],
  });
  await tagFan(desk, fan.id, ['VIP', 'Portugal', 'Third']);
  const staff = await desk.hire();
  const page = await desk.open(staff, { path: `/inbox/${id}` });
  await expect(bubble(page, 'Two')).toBeVisible();
  // The Unread tab keeps the open conversation only until the next refetch.
  await tab(page, 'All').click();
  await expect(row(page, 'Ana')).toBeVisible();
  expect([await heightOf(page, 'Ana'), await heightOf(page, 'Ben')]).toEqual([88, 72]);
  const before = await bubble(page, 'Two').boundingBox();
  await choose(page, 'Compact');
  expect([await heightOf(page, 'Ana'), await heightOf(page, 'Ben')]).toEqual([52, 52]);
  const [first, second] = await rows(page).evaluateAll((links) =>
    links.map((link) => link.getBoundingClientRect().top),
  );
  expect((second ?? 0) - (first ?? 0)).toBe(52);
  await expect(row(page, 'Ana').getByText('VIP')).toBeVisible();
  await expect
    .poll(async () => (await bubble(page, 'Two').boundingBox())?.height)
    .toBeLessThan(before?.height ?? 0);
  // Nothing extends beyond its row.
  const sticksOut = await rows(page).evaluateAll((links) =>
    links.flatMap((link) => {
      const { top, bottom } = link.getBoundingClientRect();
      return [...link.querySelectorAll('*')]
        .filter((part) => {
          const box = part.getBoundingClientRect();
          return box.height > 1 && (box.top < top - 0.5 || box.bottom > bottom + 0.5);
        })
        .map((part) => part.textContent);
    }),
  );
  expect(sticksOut).toEqual([]);
  await page.reload();
  await tab(page, 'All').click();
  await expect(row(page, 'Ana')).toBeVisible();
  expect(await heightOf(page, 'Ben')).toBe(52);
  // Tags are hidden where they don't fit.
  await page.setViewportSize({ width: 800, height: 800 });
  await expect(row(page, 'Ana').getByText('VIP')).toBeHidden();
  await page.setViewportSize({ width: 1440, height: 900 });
  await choose(page, 'Comfortable');
  expect([await heightOf(page, 'Ana'), await heightOf(page, 'Ben')]).toEqual([88, 72]);
  // The setting is separate for each of an admin's browsers.
  const other = await desk.open(staff);
  await expect(row(other, 'Ben')).toBeVisible();
  expect(await heightOf(other, 'Ben')).toBe(72);
});
