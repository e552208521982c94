import type { Page } from '@playwright/test';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { tagFan } from '../support/furnish.ts';
import { expect, test } from '../support/journey.ts';

const strip = (page: Page) => page.getByRole('list', { name: 'Tags', exact: true });
const mine = (page: Page) =>
  page.getByRole('list', { name: 'This fan’s tags' }).getByRole('listitem');

test('35: a tag can be dragged from 8 px on, and reordered with keys and buttons', async ({
  desk,
}) => {
  const { id, fan } = await buildConversation(desk);
  await tagFan(desk, fan.id, ['One', 'Two', 'Three']);
  const page = await desk.open(await desk.hire(), { path: `/inbox/${id}` });
  await page.getByRole('button', { name: 'Manage Tags' }).click();
  const grip = page.getByRole('button', { name: 'Reorder One' });
  // Waits until the dialog stops moving.
  await grip.hover();
  const box = await grip.boundingBox();
  if (!box) throw new Error('nothing to drag');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 7);
  await expect(grip).not.toHaveAttribute('aria-pressed', 'true');
  await page.mouse.move(x, y + 9);
  await expect(grip).toHaveAttribute('aria-pressed', 'true');
  await page.mouse.move(x, y + 50, { steps: 5 });
  await page.mouse.up();
  await expect(mine(page)).toHaveText([/Two/, /One/, /Three/]);
  await page.getByRole('button', { name: 'Move Three up' }).click();
  await expect(mine(page)).toHaveText([/Two/, /Three/, /One/]);
  await expect(strip(page).getByRole('listitem')).toHaveText([/Two/, /Three/, /One/]);
  await page.getByRole('button', { name: 'Reorder Two' }).focus();
  // Each step is announced to screen readers.
  const announced = (text: string) =>
    expect(page.getByRole('status').filter({ hasText: text })).toBeAttached();
  await page.keyboard.press('Space');
  await announced('Two is at position 1 of 3.');
  // Keys move the dragged item only from the next task on.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await page.keyboard.press('ArrowDown');
  await announced('Two is at position 2 of 3.');
  await page.keyboard.press('Space');
  await expect(mine(page)).toHaveText([/Three/, /Two/, /One/]);
  await expect(strip(page).getByRole('listitem')).toHaveText([/Three/, /Two/, /One/]);
});
